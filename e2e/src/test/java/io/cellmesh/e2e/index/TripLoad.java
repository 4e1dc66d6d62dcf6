package io.cellmesh.e2e.index;

import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.stack.demo.TripGenerator;
import io.cellmesh.topics.load.CellProducer;
import io.cellmesh.topics.load.Loader;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Generated trips, brought in the background until it is closed. */
final class TripLoad implements AutoCloseable {
  private static final long SEED = 20_260_131;

  /** Each has trips of its own: those that are there already would try nothing. */
  private static final AtomicLong LOADS = new AtomicLong();

  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final AtomicLong accepted;

  private TripLoad(Callable<Long> work, AtomicLong accepted) {
    thread.submit(work);
    this.accepted = accepted;
  }

  /** How many cells Kafka has acknowledged so far. */
  long accepted() {
    return accepted.get();
  }

  /**
   * Brings trips and returns when they are accepted.
   *
   * @param first the number of the first of them; the same number is the same trip
   */
  static long bring(String bootstrap, Topics topics, int first, int count) throws Exception {
    try (var producer = new CellProducer(KafkaAccess.plain(bootstrap), topics)) {
      return new Loader(producer, 0).load(new TripGenerator(SEED, first, count), n -> {}).cells();
    }
  }

  /**
   * Brings other trips, of drivers of the same city.
   *
   * @param cellsPerSecond how many
   */
  static TripLoad start(String bootstrap, Topics topics, int cellsPerSecond) {
    long seed = SEED + LOADS.incrementAndGet();
    var accepted = new AtomicLong();
    return new TripLoad(
        () -> {
          try (var producer = new CellProducer(KafkaAccess.plain(bootstrap), topics)) {
            var trips = new TripGenerator(seed, 0, Integer.MAX_VALUE);
            return new Loader(producer, cellsPerSecond).load(trips, accepted::set).cells();
          }
        },
        accepted);
  }

  /** Ends it; what it sent is accepted by then. */
  @Override
  public void close() {
    thread.shutdownNow();
    try {
      thread.awaitTermination(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
