package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.MeshPlace;
import io.cellmesh.deployment.peer.PeerAwayException;
import io.cellmesh.deployment.wire.Batch;
import io.cellmesh.deployment.wire.BatchWriter;
import io.cellmesh.deployment.wire.Stretch;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** What becomes of a stream of batches, whatever comes on it. */
class HttpRunTest extends HttpRuns {
  @Test
  void cells_arrive_in_their_order_and_the_place_is_written_behind_them() throws Exception {
    var pipe = new PipedInputStream(1 << 20);
    var out = new PipedOutputStream(pipe);
    try (var run = run(pipe, LONG)) {
      out.write(bytes(batch(5, 1, 2), batch(7, 3)));
      await().atMost(PATIENCE).until(() -> figures.counts().taken() == 3);
      assertThat(run.isRunning()).isTrue();
      // The next one shows that a second has passed.
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                out.write(bytes(batch(8)));
                return places().equals(Map.of("dc2:0", new MeshPlace(LOG, 8).toJson()));
              });
      assertThat(mesh.flushed()).isTrue();
      out.close();
    }
    assertThat(mesh.history())
        .extracting(ProducerRecord::topic)
        .containsExactly("trips.mesh", "trips.mesh", "trips.mesh");
    assertThat(mesh.history())
        .extracting(record -> new String(record.value()).replaceAll(".*origin_id\":(\\d).*", "$1"))
        .containsExactly("1", "2", "3");
  }

  @Test
  void a_run_that_is_closed_writes_the_place_of_what_has_arrived() throws Exception {
    var pipe = new PipedInputStream(1 << 20);
    var out = new PipedOutputStream(pipe);
    try (var run = run(pipe, LONG)) {
      out.write(bytes(batch(5, 1)));
      await().atMost(PATIENCE).until(() -> figures.counts().taken() == 1);
      out.close();
      assertThat(failureOf(run)).isInstanceOf(PeerAwayException.class);
    }
    assertThat(places()).isEqualTo(Map.of("dc2:0", new MeshPlace(LOG, 6).toJson()));
  }

  @Test
  void a_batch_that_repeats_ends_the_run_and_nothing_of_it_is_taken() throws Exception {
    var stream = bytes(batch(5, 1), batch(5, 1));
    assertThat(failureOf(stream))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(
            "a batch begins at offset 5 of partition 0, and the one before ended at 6");
    assertThat(mesh.history()).hasSize(1);
  }

  @Test
  void a_batch_that_is_missing_ends_the_run() throws Exception {
    assertThat(failureOf(bytes(batch(5, 1), batch(7, 3))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a batch begins at offset 7");
    assertThat(mesh.history()).hasSize(1);
  }

  @Test
  void a_cut_within_a_batch_leaves_the_peer_away_and_nothing_of_that_batch_is_taken()
      throws Exception {
    var stream = bytes(batch(5, 1), batch(6, 2));
    assertThat(failureOf(Arrays.copyOf(stream, stream.length - 1)))
        .isInstanceOf(PeerAwayException.class)
        .hasMessageContaining("dc2 at http://127.0.0.1:9 does not answer");
    assertThat(mesh.history()).hasSize(1);
    assertThat(places()).isEqualTo(Map.of("dc2:0", new MeshPlace(LOG, 6).toJson()));
  }

  @Test
  void a_byte_that_was_changed_on_the_way_ends_the_run() throws Exception {
    var stream = bytes(batch(5, 1), batch(6, 2));
    stream[stream.length - 3] ^= 1;
    assertThat(failureOf(stream))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the checksum of a batch is wrong");
    assertThat(mesh.history()).hasSize(1);
  }

  @Test
  void a_damaged_record_is_set_aside_with_its_place_and_what_the_peer_left_out_is_counted()
      throws Exception {
    var damaged = Logs.record(0, 5, new byte[] {1}, new byte[] {2}, Optional.empty());
    var batch =
        new Batch(
            List.of(new Stretch(0, 5, 9, 12)),
            1_000,
            Map.of("dc1", 2L, "dc7", 3L),
            List.of(damaged, cell(1, 8)));
    failureOf(BatchWriter.write(batch));

    assertThat(mesh.history())
        .extracting(ProducerRecord::topic)
        .containsExactly("trips.rejected", "trips.mesh");
    var aside = mesh.history().get(0);
    assertThat(aside.value()).containsExactly(2);
    assertThat(new String(aside.headers().lastHeader("__connect.errors.offset").value()))
        .isEqualTo("5");
    assertThat(figures.counts().setAside()).isEqualTo(1);
    assertThat(figures.unlinked()).isEqualTo(Map.of("dc7", 3L));
    assertThat(figures.lagMs()).isPresent();
  }

  @Test
  void where_a_cell_is_refused_for_good_the_place_stays_before_it() throws Exception {
    mesh.sendException = new RecordTooLargeException("larger than the topic allows");
    assertThatThrownBy(
            () -> {
              throw failureOf(bytes(batch(5, 1)));
            })
        .hasMessageContaining("larger than the topic allows");
    assertThat(places()).isEmpty();
  }

  @Test
  void a_link_that_is_held_to_a_pace_keeps_its_place_before_it_waits_and_ends_at_once()
      throws Exception {
    pace = new Pace(OptionalInt.of(1), () -> 0);
    var run = run(new ByteArrayInputStream(bytes(batch(5, 1), batch(6, 2))), LONG);
    try (run) {
      await()
          .atMost(PATIENCE)
          .until(() -> places().equals(Map.of("dc2:0", new MeshPlace(LOG, 6).toJson())));
      // As many seconds as bytes have come.
      assertThat(pace.left()).isPositive();
      assertThat(run.isRunning()).isTrue();
    }
    assertThat(run.isRunning()).isFalse();
    assertThat(mesh.history()).hasSize(1);
  }

  @Test
  void a_stream_that_can_not_be_closed_keeps_nobody_from_writing_the_place_before_all_is_closed()
      throws Exception {
    var sender = new PipedOutputStream();
    var pipe =
        new PipedInputStream(sender, 1 << 20) {
          @Override
          public void close() throws IOException {
            sender.close();
            throw new IOException("reset by the peer");
          }
        };
    try (var run = run(pipe, LONG)) {
      sender.write(bytes(batch(5, 1)));
      await().atMost(PATIENCE).until(() -> figures.counts().taken() == 1);
      assertThat(run.isRunning()).isTrue();
    }
    assertThat(places()).isEqualTo(Map.of("dc2:0", new MeshPlace(LOG, 6).toJson()));
    assertThat(mesh.closed()).isTrue();
    assertThat(places.closed()).isTrue();
  }

  @Test
  void a_writer_that_can_not_be_closed_leaves_nothing_open() throws Exception {
    mesh.closeException = new KafkaException("not closed");
    var run = run(new ByteArrayInputStream(new byte[0]), LONG);
    assertThatThrownBy(run::close).isSameAs(mesh.closeException);
    assertThat(places.closed()).isTrue();
  }

  @Test
  void a_kafka_that_does_not_answer_here_is_waited_for_as_such() throws Exception {
    places.sendException = new TimeoutException("nobody answers");
    var pipe = new PipedInputStream(1 << 20);
    var out = new PipedOutputStream(pipe);
    try (var run = run(pipe, LONG)) {
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                if (run.isRunning()) {
                  long next = 5 + figures.counts().taken();
                  out.write(bytes(batch(next, next)));
                  await()
                      .atMost(PATIENCE)
                      .until(() -> figures.counts().taken() > next - 5 || !run.isRunning());
                }
                return !run.isRunning();
              });
      assertThat(failureOf(run)).isSameAs(places.sendException);
    }
  }

  @Test
  void a_peer_that_says_nothing_any_more_is_away() throws Exception {
    var silent = new PipedOutputStream();
    try (var run = run(new PipedInputStream(silent), Duration.ofMillis(10))) {
      assertThat(failureOf(run))
          .isInstanceOf(PeerAwayException.class)
          .hasMessageContaining("nothing came for");
      silent.close();
    }
  }

  private RuntimeException failureOf(byte[] stream) throws InterruptedException {
    try (var run = run(new ByteArrayInputStream(stream), LONG)) {
      return failureOf(run);
    }
  }

  private static RuntimeException failureOf(HttpRun run) throws InterruptedException {
    var failure = Optional.<RuntimeException>empty();
    while (failure.isEmpty()) {
      failure = run.awaitFailure(Duration.ofMillis(20));
    }
    return failure.get();
  }
}
