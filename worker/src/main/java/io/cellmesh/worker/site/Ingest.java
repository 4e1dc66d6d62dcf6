package io.cellmesh.worker.site;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.RecordPosition;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.BrokerNames;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.IngestProducer;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.Lane;
import io.cellmesh.worker.load.Priority;
import io.cellmesh.worker.load.RecurringLook;
import io.cellmesh.worker.load.UnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings cells into the ingest topic. One thread hands them to the producer, which may block while
 * the brokers are away; so nobody else waits for that. Thread-safe.
 */
final class Ingest implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Ingest.class);

  private static final int WAITING = 10_000;

  /** Nobody's deadline is later than a minute. */
  private static final Duration DELIVERY = Duration.ofSeconds(60);

  private static final Duration BLOCK = Duration.ofSeconds(1);
  private static final Duration LOOK = Duration.ofSeconds(5);

  private final String datacenter;
  private final String topic;
  private final IngestClients clients;
  private final Lane lane;
  private final Committed committed;
  private final TopicLook look;

  /** Names of brokers may take long to be resolved, for which nobody else waits. */
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(Ingest::daemon);

  /**
   * Opens its clients, or has that tried again if no broker's name can be resolved.
   *
   * @throws KafkaException if they can't be opened for another reason
   */
  Ingest(String datacenter, Topics topics, KafkaAccess kafka, LongSupplier clock) {
    this.datacenter = datacenter;
    this.topic = topics.cells();
    this.clients =
        new IngestClients(
            () -> Consumers.admin(kafka), () -> new IngestProducer(kafka, topics, BLOCK, DELIVERY));
    this.committed = new Committed(clients::admin, topics, clock);
    this.lane = new Lane("ingest-" + topics.instance(), 1, WAITING);
    this.look = new TopicLook(this::opened, topic, looks, () -> clients.producer().prepare());
    begin();
  }

  private void begin() {
    try {
      clients.open();
    } catch (KafkaException e) {
      if (!BrokerNames.wereUnknown(e)) {
        throw e;
      }
      LOG.warn("{} takes no cells yet, which is tried again: {}", topic, e.getMessage());
    }
    var again = new RecurringLook(topic, look::run);
    looks.scheduleWithFixedDelay(again, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
  }

  private Admin opened() {
    clients.open();
    return clients.admin();
  }

  /**
   * Has a cell accepted.
   *
   * @return where it stands; or an {@link UnavailableException}, after which it may stand there all
   *     the same, if that is not known within the deadline
   * @throws io.cellmesh.worker.load.OverloadedException if too many wait already
   */
  CompletableFuture<RecordPosition> send(Cell cell, Priority priority, Deadline deadline) {
    return lane.run(priority, deadline, () -> handIn(cell))
        .thenCompose(Function.identity())
        .orTimeout(deadline.left().toNanos(), TimeUnit.NANOSECONDS)
        .exceptionally(
            e -> {
              throw new CompletionException(unavailable(e));
            });
  }

  /** Where a position is of: this data centre's ingest topic as it is now. */
  boolean isOf(RecordPosition position) {
    return position.datacenter().equals(datacenter)
        && look.id().map(id -> id.equals(position.topic())).orElse(true);
  }

  Committed committed() {
    return committed;
  }

  Lane lane() {
    return lane;
  }

  /** Whether it has known which topic it is, and where, since it began. */
  boolean began() {
    return look.id().isPresent();
  }

  boolean reachable() {
    return look.reachable();
  }

  @Override
  public void close() {
    look.close();
    looks.shutdownNow();
    lane.close();
    clients.close();
  }

  private static Thread daemon(Runnable task) {
    var thread = new Thread(task, "ingest-look");
    thread.setDaemon(true);
    return thread;
  }

  private CompletableFuture<RecordPosition> handIn(Cell cell) {
    var id =
        look.id()
            .orElseThrow(() -> new UnavailableException("Kafka has not told of " + topic + " yet"));
    return clients.producer().send(cell).thenApply(place -> position(id, place));
  }

  private RecordPosition position(String id, RecordMetadata place) {
    return new RecordPosition(datacenter, id, place.partition(), place.offset());
  }

  private Throwable unavailable(Throwable e) {
    var cause = e instanceof CompletionException ? e.getCause() : e;
    if (cause instanceof RuntimeException known
        && known.getClass().getPackage().equals(UnavailableException.class.getPackage())) {
      return known;
    }
    if (cause instanceof MissingRightException) {
      LOG.error("{}", cause.getMessage());
    } else {
      LOG.debug("a cell is not known to be accepted", cause);
    }
    return new UnavailableException(
        "Kafka did not acknowledge the record in time; it may be there all the same");
  }
}
