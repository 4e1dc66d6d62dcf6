package io.cellmesh.client;

import static io.cellmesh.client.Samples.ROW;
import static io.cellmesh.client.UnrulyWorker.answer;
import static io.cellmesh.client.UnrulyWorker.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.client.UnrulyWorker.Deed;
import io.cellmesh.client.UnrulyWorker.Request;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A session reads what it wrote. */
@Timeout(60)
class SessionTest {
  private static final int PARTITIONS = 4;
  private static final int HOSTS = 3;

  private final List<UnrulyWorker> workers = new ArrayList<>();

  @AfterEach
  void stop() throws IOException {
    for (var worker : workers) {
      worker.close();
    }
  }

  @Test
  void a_session_reads_its_writes_from_every_host() throws Exception {
    var written = new AtomicLong();
    var stale = new AtomicInteger();
    for (int i = 0; i < HOSTS; i++) {
      workers.add(UnrulyWorker.that(request -> sees(request, written, stale)));
    }
    var session =
        Samples.client(workers.stream().map(UnrulyWorker::url).toArray(URI[]::new))
            .session()
            .readingFrom(ReadFrom.ANY);
    for (int ref = 1; ref <= 200; ref++) {
      session.put(Samples.cell("BASE", ref));
      var read = session.latest(ROW, "BASE").cell().orElseThrow();
      assertThat(read.cell().key().refKey()).isEqualTo(ref);
    }
    assertThat(stale).hasValue(0);
    assertThat(workers).allSatisfy(worker -> assertThat(worker.requests()).hasSizeGreaterThan(50));
  }

  /** A minion that lags by one write, unless the read says what it must have. */
  private static Deed sees(Request request, AtomicLong written, AtomicInteger stale) {
    if (request.method().equals("PUT")) {
      long ref = written.incrementAndGet();
      return Samples.visible("dc1:AbCdEfGh:3:" + ref);
    }
    long asked =
        request.parameter("not-before").flatMap(Position::parse).map(Position::offset).orElse(-1L);
    if (asked < written.get()) {
      stale.incrementAndGet();
    }
    return Samples.found(Samples.json("BASE", Math.max(asked, written.get() - 1)));
  }

  @Test
  void it_remembers_the_latest_position_of_each_partition_and_no_more() throws Exception {
    var next = new AtomicInteger();
    var random = new Random(1);
    var session =
        session(
            request ->
                request.method().equals("PUT")
                    ? Samples.visible(
                        "dc1:AbCdEfGh:%d:%d"
                            .formatted(random.nextInt(PARTITIONS), next.incrementAndGet()))
                    : Samples.found());
    for (int i = 0; i < 200; i++) {
      session.put(Samples.trip());
    }
    var positions = session.positions().split(",");
    assertThat(positions).hasSize(PARTITIONS);
    assertThat(positions)
        .allSatisfy(
            each ->
                assertThat(each).matches("dc1:AbCdEfGh:[0-3]:1[0-9]{2}|dc1:AbCdEfGh:[0-3]:200"));

    session.get(Samples.key());
    var read = workers.get(0).requests().get(200);
    assertThat(read.parameter("not-before")).contains(session.positions());
  }

  @Test
  void an_earlier_position_does_not_replace_a_later_one() {
    var positions = SessionPositions.parse("dc1:AbCdEfGh:3:17");
    positions.add(position("dc1:AbCdEfGh:3:16"));
    assertThat(positions).hasToString("dc1:AbCdEfGh:3:17");
    positions.add(position("dc1:AbCdEfGh:3:18"));
    positions.add(position("dc1:AbCdEfGh:1:2"));
    assertThat(positions).hasToString("dc1:AbCdEfGh:1:2,dc1:AbCdEfGh:3:18");
  }

  @Test
  void a_topic_that_was_made_again_begins_again() {
    var positions = SessionPositions.parse("dc1:AbCdEfGh:1:10,dc1:AbCdEfGh:3:17");
    positions.add(position("dc1:XbCdEfGh:3:1"));
    assertThat(positions).hasToString("dc1:XbCdEfGh:3:1");
  }

  @Test
  void whatever_was_told_a_position_is_remembered() throws Exception {
    var json = "{\"status\":202,\"state\":\"accepted\"}";
    var session = session(request -> answer(202, json, "Cellmesh-Position: dc1:AbCdEfGh:1:1"));
    session.put(Samples.trip());
    assertThat(session.positions()).isEqualTo("dc1:AbCdEfGh:1:1");

    var conflict = "{\"status\":409,\"kept\":\"a\",\"refused\":\"b\"}";
    workers.get(0).behave(request -> answer(409, conflict, "Cellmesh-Position: dc1:AbCdEfGh:1:2"));
    session.put(Samples.trip());
    assertThat(session.positions()).isEqualTo("dc1:AbCdEfGh:1:2");

    var batch =
        "{\"results\":[{\"status\":200,\"state\":\"visible\",\"position\":\"dc1:AbCdEfGh:2:1\"},"
            + "{\"status\":503,\"problem\":{}}]}";
    workers.get(0).behave(request -> answer(200, batch));
    session.putAll(List.of(Samples.trip(), Samples.cell("BASE", 2)));
    assertThat(session.positions()).isEqualTo("dc1:AbCdEfGh:1:2,dc1:AbCdEfGh:2:1");
  }

  @Test
  void views_of_a_session_share_what_it_wrote_and_others_do_not() throws Exception {
    workers.add(UnrulyWorker.that(request -> Samples.visible()));
    var client = Samples.client(workers.get(0).url());
    var session = client.session();
    session.readingFrom(ReadFrom.MINION).async().put(Samples.trip()).get();
    assertThat(session.withPriority(Priority.HIGH).positions()).isEqualTo(Samples.POSITION);
    assertThat(client.session().positions()).isEmpty();
  }

  @Test
  void a_session_goes_on_in_another_process() throws Exception {
    workers.add(UnrulyWorker.that(request -> Samples.found()));
    var text = "dc1:AbCdEfGh:1:2,dc1:AbCdEfGh:2:1";
    Samples.client(workers.get(0).url()).session(text).get(Samples.key());
    assertThat(workers.get(0).only().parameter("not-before")).contains(text);
  }

  @Test
  void positions_that_are_none_are_refused() throws Exception {
    workers.add(UnrulyWorker.that(request -> problem(400, "never asked")));
    var client = Samples.client(workers.get(0).url());
    assertThatThrownBy(() -> client.session("dc1:AbCdEfGh:1:2,dc1\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("positions = \"dc1\\u000a\": not DC:TOPIC:PARTITION:OFFSET");
  }

  private Session session(UnrulyWorker.Manner manner) throws IOException {
    workers.add(UnrulyWorker.that(manner));
    return Samples.client(workers.get(0).url()).session();
  }

  private static Position position(String text) {
    return Position.parse(text).orElseThrow();
  }
}
