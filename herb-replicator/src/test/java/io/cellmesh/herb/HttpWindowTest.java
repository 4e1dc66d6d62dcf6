package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.MeshPlace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** What becomes of cells that have no room within a link's window. */
class HttpWindowTest extends HttpRuns {
  private final Map<Integer, Long> sink = new ConcurrentHashMap<>();

  @Test
  void what_has_no_room_is_kept_back_in_its_order_and_the_place_stays_before_it() throws Exception {
    sink.put(0, 0L);
    window = window();
    var pipe = new PipedInputStream(1 << 20);
    var out = new PipedOutputStream(pipe);
    try (var run = run(pipe, LONG)) {
      out.write(bytes(batch(5, 1, 2, 3), batch(8, 4, 5)));
      await().atMost(PATIENCE).until(() -> !places().isEmpty());
      // Where the first batch took a second, its place is written before the next one is read.
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(run.behind()).as("that is here, and waits").isEqualTo(3));
      assertThat(places()).isEqualTo(Map.of("dc2:0", new MeshPlace(LOG, 7).toJson()));
      assertThat(mesh.history()).hasSize(2);
      assertThat(figures.counts().taken()).as("what comes again after a restart").isEqualTo(2);
      assertThat(run.bounds().window().state().full()).isEqualTo(1);
      assertThat(run.fetched()).isEqualTo(2);

      sink.put(0, 1L);
      await().atMost(PATIENCE).until(() -> mesh.history().size() == 3);
      await().atMost(PATIENCE).until(() -> run.behind() == 2);
      sink.put(0, 99L);
      await().atMost(PATIENCE).until(() -> mesh.history().size() == 5);
      await().atMost(PATIENCE).until(() -> run.behind() == 0);
      assertThat(run.fetched()).isEqualTo(5);
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                out.write(bytes(batch(10)));
                return places().equals(Map.of("dc2:0", new MeshPlace(LOG, 10).toJson()));
              });
      out.close();
    }
    assertThat(mesh.history())
        .extracting(record -> new String(record.value()).replaceAll(".*origin_id\":(\\d).*", "$1"))
        .containsExactly("1", "2", "3", "4", "5");
    assertThat(figures.counts().taken()).isEqualTo(5);
  }

  @Test
  void a_sink_that_passes_nothing_does_not_fill_the_memory_and_the_peer_is_left_until_it_does()
      throws Exception {
    sink.put(0, 0L);
    window = window();
    var questions = new CopyOnWriteArrayList<Map<Integer, Long>>();
    var sent = new AtomicLong();
    HttpCells.Source peer =
        next -> {
          questions.add(next);
          return endless(next.get(0), sent);
        };
    try (var run = run(peer, LONG)) {
      var last = new AtomicLong();
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> last.getAndSet(sent.get()) == sent.get());
      await()
          .atMost(PATIENCE)
          .until(
              () -> run.bounds().window().state().stalled().compareTo(Duration.ofSeconds(7)) > 0);
      assertThat(mesh.history()).hasSize(2);
      assertThat(figures.counts().taken()).isEqualTo(2);
      int had = Math.toIntExact(sent.get());
      assertThat(had).isBetween(200, 60_000);

      sink.put(0, Long.MAX_VALUE);
      await().atMost(PATIENCE).until(() -> questions.size() == 2);
      assertThat(questions.get(1)).as("behind what it had").isEqualTo(Map.of(0, 5L + had));
      await().atMost(PATIENCE).until(() -> figures.counts().taken() > had + 200);
      assertThat(mesh.history().subList(0, had + 200))
          .extracting(
              record -> new String(record.value()).replaceAll(".*origin_id\":(\\d+).*", "$1"))
          .containsExactlyElementsOf(
              LongStream.range(6, 206 + had).mapToObj(Long::toString).toList());
    }
  }

  /**
   * A peer that has always more.
   *
   * @param sent counts its cells
   */
  private static InputStream endless(long from, AtomicLong sent) {
    return new InputStream() {
      private long next = from;
      private InputStream batch = InputStream.nullInputStream();

      @Override
      public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        if (batch.available() == 0) {
          var ids = LongStream.range(next + 1, next + 201).toArray();
          batch = new ByteArrayInputStream(bytes(batch(next, ids)));
          next += ids.length;
          sent.addAndGet(ids.length);
        }
        return batch.read(bytes, offset, length);
      }

      @Override
      public int available() {
        return 1;
      }
    };
  }

  /** Of two records. */
  private MeshWindow window() {
    mesh = new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    return new MeshWindow("trips.mesh", 2, new KnownPlace(sink), Map.of(), System::nanoTime);
  }
}
