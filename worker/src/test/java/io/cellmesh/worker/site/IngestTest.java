package io.cellmesh.worker.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.BrokerNames;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.IngestProducer;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.Priority;
import io.cellmesh.worker.load.UnavailableException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

/** An ingest topic whose brokers are not there. */
class IngestTest {
  private static final Topics TOPICS = new Topics("trips");
  private static final KafkaAccess NOBODY = KafkaAccess.plain("127.0.0.1:1");

  /** By RFC 2606 nobody has it. */
  private static final KafkaAccess NAMELESS = KafkaAccess.plain("kafka.invalid:9092");

  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();

  @Test
  void while_no_brokers_name_resolves_it_begins_and_refuses_cells_for_now() throws Exception {
    try (var ingest = new Ingest("dc1", TOPICS, NAMELESS, System::nanoTime)) {
      assertThat(ingest.began()).isFalse();
      assertThat(ingest.reachable()).isFalse();
      assertThat(ingest.committed().next()).isEmpty();

      var key = new CellKey(new UUID(0, 1), "BASE", 1);
      var sent =
          ingest.send(
              new Cell(key, Body.ofJson("1"), Optional.empty()),
              Priority.NORMAL,
              Deadline.in(Duration.ofSeconds(30), System::nanoTime));

      assertThatThrownBy(() -> sent.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(UnavailableException.class)
          .hasMessageContaining("Kafka has not told of trips.cells yet");
    }
  }

  @Test
  void what_another_look_does_not_mend_ends_the_start() {
    var wrong =
        new KafkaAccess(
            "127.0.0.1:1",
            Map.of("security.protocol", "SSL", "ssl.truststore.location", "/nowhere/ca.p12"));

    assertThatThrownBy(() -> new Ingest("dc1", TOPICS, wrong, System::nanoTime))
        .isInstanceOf(KafkaException.class)
        .hasMessageContaining("127.0.0.1:1 can't be asked");
  }

  @Test
  void clients_are_opened_once_they_can_be_and_not_again() {
    try (var clients =
        new IngestClients(
            () -> Consumers.admin(opened.incrementAndGet() == 1 ? NAMELESS : NOBODY),
            () -> new IngestProducer(NOBODY, TOPICS, Duration.ZERO, Duration.ofSeconds(1)))) {
      assertThatThrownBy(clients::open)
          .isInstanceOf(KafkaException.class)
          .matches(BrokerNames::wereUnknown);
      assertThatThrownBy(clients::admin).isInstanceOf(UnavailableException.class);
      assertThatThrownBy(clients::producer).isInstanceOf(UnavailableException.class);

      clients.open();
      clients.open();

      assertThat(opened).hasValue(2);
      assertThat(clients.admin()).isNotNull();
      assertThat(clients.producer()).isNotNull();
    }
  }

  @Test
  void of_clients_that_are_closed_none_is_opened() {
    var clients =
        new IngestClients(
            () -> Consumers.admin(NOBODY),
            () -> new IngestProducer(NOBODY, TOPICS, Duration.ZERO, Duration.ofSeconds(1)));
    clients.close();

    clients.open();

    assertThatThrownBy(clients::admin).isInstanceOf(UnavailableException.class);
  }

  @Test
  void who_ends_does_not_wait_for_clients_that_are_being_opened_and_these_are_closed_then()
      throws Exception {
    var begun = new CountDownLatch(1);
    var resolved = new CountDownLatch(1);
    var clients =
        new IngestClients(
            () -> {
              begun.countDown();
              awaitThat(resolved);
              return admin();
            },
            () -> new IngestProducer(NOBODY, TOPICS, Duration.ZERO, Duration.ofSeconds(1)));
    var opening = CompletableFuture.runAsync(clients::open);
    begun.await();

    CompletableFuture.runAsync(clients::close).get(20, TimeUnit.SECONDS);
    assertThat(opening).isNotDone();
    resolved.countDown();

    opening.get(20, TimeUnit.SECONDS);
    assertThat(closed).hasValue(1);
  }

  private static void awaitThat(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** One that can only be closed. */
  private Admin admin() {
    return ScriptedAdmin.answering(
        "close",
        () -> {
          closed.incrementAndGet();
          return null;
        });
  }
}
