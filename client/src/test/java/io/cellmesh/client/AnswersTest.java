package io.cellmesh.client;

import static io.cellmesh.client.Samples.POSITION;
import static io.cellmesh.client.Samples.ROW;
import static io.cellmesh.client.UnrulyWorker.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cellmesh.client.UnrulyWorker.Deed;
import io.cellmesh.client.WriteResult.Accepted;
import io.cellmesh.client.WriteResult.Buffered;
import io.cellmesh.client.WriteResult.Conflict;
import io.cellmesh.client.WriteResult.Rejected;
import io.cellmesh.client.WriteResult.Replicated;
import io.cellmesh.client.WriteResult.Secured;
import io.cellmesh.client.WriteResult.Visible;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each answer of a worker becomes. */
@Timeout(60)
class AnswersTest {
  private static final Optional<Position> PLACE = Position.parse(POSITION);
  private static final DownMaster DOWN =
      new DownMaster("c1", "127.0.0.1:3306", Instant.parse("2026-01-31T12:00:00.120Z"));
  private static final String DOWN_JSON =
      "{\"cluster\":\"c1\",\"master\":\"127.0.0.1:3306\",\"since\":\"2026-01-31T12:00:00.120Z\"}";

  private UnrulyWorker worker;

  @AfterEach
  void stop() throws IOException {
    if (worker != null) {
      worker.close();
    }
  }

  @Test
  void a_write_is_told_how_far_it_came() throws Exception {
    assertThat(put(told(200, "visible", ""))).isEqualTo(new Visible(PLACE));
    assertThat(put(told(200, "replicated", ""))).isEqualTo(new Replicated(PLACE));
    assertThat(put(told(202, "accepted", ""))).isEqualTo(new Accepted(PLACE, Optional.empty()));
    assertThat(put(told(202, "secured", ",\"down\":" + DOWN_JSON)))
        .isEqualTo(new Secured(PLACE, Optional.of(DOWN)));
    assertThat(put(told(202, "buffered", ",\"down\":" + DOWN_JSON)))
        .isEqualTo(new Buffered(PLACE, DOWN));
  }

  @Test
  void each_level_includes_those_before() {
    var buffered = new Buffered(PLACE, DOWN);
    assertThat(buffered.isAtLeast(Reached.SECURED)).isTrue();
    assertThat(buffered.isAtLeast(Reached.VISIBLE)).isFalse();
    assertThat(new Replicated(PLACE).isAtLeast(Reached.VISIBLE)).isTrue();
    assertThat(new Accepted(PLACE, Optional.empty()).isAtLeast(Reached.SECURED)).isFalse();
    assertThat(new Rejected(PLACE, "").isAtLeast(Reached.ACCEPTED)).isFalse();
  }

  @Test
  void a_conflict_shows_both_digests() throws Exception {
    var json =
        "{\"type\":\"about:blank\",\"title\":\"Conflict\",\"status\":409,\"detail\":\"another body\","
            + "\"kept\":\"aa\",\"refused\":\"bb\",\"final\":true}";
    assertThat(put(answer(409, json, "Cellmesh-Position: " + POSITION)))
        .isEqualTo(new Conflict(PLACE, "aa", "bb", true));
    assertThat(put(answer(409, json.replace("true", "false"))))
        .isEqualTo(new Conflict(Optional.empty(), "aa", "bb", false));
  }

  @Test
  void a_rejected_cell_has_a_reason() throws Exception {
    assertThat(put(UnrulyWorker.problem(422, "column too long", "Cellmesh-Position: " + POSITION)))
        .isEqualTo(new Rejected(PLACE, "column too long"));
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 413, 418})
  void what_breaks_a_rule_is_an_exception_and_asked_for_once(int status) throws Exception {
    var json =
        "{\"type\":\"urn:x\",\"title\":\"Invalid\",\"status\":%d,\"detail\":\"ref = \\\"x\\\": no integer\","
                .formatted(status)
            + "\"field\":\"ref\",\"rule\":\"no integer\"}";
    worker = UnrulyWorker.that(request -> answer(status, json));
    var failure =
        catchThrowableOfType(
            CellmeshException.class, () -> Samples.client(worker.url()).session().row(ROW));

    assertThat(failure.status()).isEqualTo(status);
    assertThat(failure.type()).isEqualTo("urn:x");
    assertThat(failure.title()).isEqualTo("Invalid");
    assertThat(failure.detail()).isEqualTo("ref = \"x\": no integer");
    assertThat(failure.field()).contains("ref");
    assertThat(failure.rule()).contains("no integer");
    assertThat(failure)
        .hasMessage(worker.url() + ": " + status + " Invalid: ref = \"x\": no integer");
    assertThat(worker.requests()).hasSize(1);
  }

  @Test
  void a_message_shows_neither_controls_nor_pages_of_text() throws Exception {
    worker =
        UnrulyWorker.that(request -> UnrulyWorker.problem(400, "\\u001b[31m" + "x".repeat(5000)));
    assertThatThrownBy(() -> Samples.client(worker.url()).session().row(ROW))
        .message()
        .contains("\\u001b[31mxxx")
        .hasSizeLessThan(300);
  }

  @Test
  void a_cell_has_its_origin_and_its_place() throws Exception {
    worker = UnrulyWorker.that(request -> Samples.found(Samples.json(ROW, "BASE", 1, "1e3")));
    var read = Samples.client(worker.url()).session().latest(ROW, "BASE");

    var cell = read.cell().orElseThrow();
    assertThat(cell.cell().key()).isEqualTo(Samples.key());
    assertThat(cell.cell().body().toJson()).isEqualTo("1000.0");
    assertThat(cell.cell().origin().orElseThrow().datacenter()).isEqualTo("dc1");
    assertThat(cell.shard()).isEqualTo(16);
    assertThat(cell.createdAt()).isEqualTo("2026-01-31T12:00:00.120Z");
    assertThat(read.source()).isEqualTo(new Source(Samples.SERVER, Optional.of(Duration.ZERO)));
  }

  @ParameterizedTest
  @CsvSource({"0.25,250", "3,3000", "unknown,", "soon,", "-1,"})
  void a_minions_answer_says_how_stale_it_can_be(String told, Long millis) throws Exception {
    worker =
        UnrulyWorker.that(
            request -> Samples.found(Samples.json("BASE", 1), "Cellmesh-Stale-Up-To: " + told));
    assertThat(Samples.client(worker.url()).session().get(Samples.key()).source().staleUpTo())
        .isEqualTo(Optional.ofNullable(millis).map(Duration::ofMillis));
  }

  @Test
  void a_row_keeps_its_cells_in_order_and_numbers_to_the_digit() throws Exception {
    var number = "123456789012345678901234567890.125";
    worker =
        UnrulyWorker.that(
            request ->
                Samples.found(
                    "{\"row_key\":\"%s\",\"cells\":[%s, %s]}"
                        .formatted(
                            ROW,
                            Samples.json("BASE", 1),
                            Samples.json(ROW, "Größe", 2, "[" + number + ",\"}]\"]"))));
    var cells = Samples.client(worker.url()).session().row(ROW).cells();

    assertThat(cells)
        .extracting(each -> each.cell().key().columnName())
        .containsExactly("BASE", "Größe");
    assertThat(cells.get(1).cell().body().toJson()).isEqualTo("[" + number + ",\"}]\"]");
  }

  @Test
  void a_cell_is_absent_when_a_server_says_so_and_not_when_nobody_knows_the_instance()
      throws Exception {
    worker =
        UnrulyWorker.that(
            request ->
                UnrulyWorker.problem(404, "no such cell", "Cellmesh-Served-By: c1/minion/h:1"));
    var session = Samples.client(worker.url()).session();
    assertThat(session.get(Samples.key()).cell()).isEmpty();
    assertThat(session.row(ROW).cells()).isEmpty();

    worker.behave(request -> UnrulyWorker.problem(404, "no instance trips"));
    assertThatThrownBy(() -> session.get(Samples.key()))
        .isInstanceOf(CellmeshException.class)
        .hasMessageContaining("404 Title: no instance trips");
  }

  @Test
  void a_page_has_entries_with_fields_and_cells() throws Exception {
    worker =
        UnrulyWorker.that(
            request ->
                Samples.found(
                    "{\"entries\":[{\"row_key\":\"%s\",\"fields\":{\"city\":\"Köln\",\"fare\":null},\"cells\":[%s]}],\"next\":\"more\"}"
                        .formatted(ROW, Samples.json("BASE", 1))));
    var page = Samples.client(worker.url()).session().query(IndexQuery.of("trips_by_driver", "d1"));

    assertThat(page.next()).contains("more");
    assertThat(page.servedBy()).containsExactly(Samples.SERVER);
    assertThat(page.staleUpTo()).as("nobody says").isEmpty();
    var entry = page.entries().get(0);
    assertThat(entry.rowKey()).isEqualTo(ROW);
    assertThat(entry.fields()).containsEntry("city", "Köln").containsEntry("fare", null);
    assertThat(entry.cells()).hasSize(1);
  }

  @Test
  void a_page_of_several_servers_names_each_and_says_how_stale_it_can_be() throws Exception {
    var stale = new AtomicReference<>("unknown");
    worker =
        UnrulyWorker.that(
            request ->
                answer(
                    200,
                    "{\"entries\":[]}",
                    "Cellmesh-Served-By: c1/master/a:1, c2/minion/b:1",
                    "Cellmesh-Stale-Up-To: " + stale.get()));
    var session = Samples.client(worker.url()).session();
    var query = IndexQuery.of("trips_by_driver", List.of("d1", "d2"));

    var page = session.query(query);
    assertThat(page.servedBy()).containsExactly("c1/master/a:1", "c2/minion/b:1");
    assertThat(page.staleUpTo()).isEmpty();
    stale.set("1.25");
    assertThat(session.query(query).staleUpTo()).contains(Duration.ofMillis(1250));
  }

  @Test
  void the_last_page_has_no_next() throws Exception {
    worker = UnrulyWorker.that(request -> Samples.found("{\"entries\":[]}"));
    var page = Samples.client(worker.url()).session().query(IndexQuery.of("trips_by_driver", "d1"));
    assertThat(page.entries()).isEqualTo(List.of());
    assertThat(page.next()).isEmpty();
  }

  private WriteResult put(Deed deed) throws Exception {
    if (worker == null) {
      worker = UnrulyWorker.that(request -> deed);
    }
    worker.behave(request -> deed);
    return Samples.client(worker.url()).session().put(Samples.trip());
  }

  private static Deed told(int status, String state, String more) {
    return answer(
        status,
        "{\"status\":%d,\"state\":\"%s\"%s}".formatted(status, state, more),
        "Cellmesh-Position: " + POSITION);
  }
}
