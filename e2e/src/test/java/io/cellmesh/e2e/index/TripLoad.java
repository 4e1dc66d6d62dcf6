package io.cellmesh.e2e.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.stack.demo.TripGenerator;
import io.cellmesh.topics.load.CellProducer;
import io.cellmesh.topics.load.CellSequence;
import io.cellmesh.topics.load.Loader;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Generated trips, brought in the background until it is closed. */
final class TripLoad implements AutoCloseable {
  private static final long SEED = 20_260_131;

  /** Each has trips of its own: those that are there already would try nothing. */
  private static final AtomicLong LOADS = new AtomicLong();

  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final AtomicLong accepted = new AtomicLong();
  private final UntilStopped trips;
  private final Future<Loader.Result> load;

  private TripLoad(String bootstrap, Topics topics, int cellsPerSecond) {
    this.trips =
        new UntilStopped(new TripGenerator(SEED + LOADS.incrementAndGet(), 0, Integer.MAX_VALUE));
    this.load =
        thread.submit(
            () -> {
              try (var producer = new CellProducer(KafkaAccess.plain(bootstrap), topics)) {
                return new Loader(producer, cellsPerSecond).load(trips, accepted::set);
              }
            });
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
    return new TripLoad(bootstrap, topics, cellsPerSecond);
  }

  /**
   * Ends it once what it sent is accepted; fails if that is nothing, or if it has failed before.
   */
  @Override
  public void close() throws ExecutionException, TimeoutException {
    trips.stopped = true;
    thread.shutdown();
    try {
      assertThat(load.get(30, TimeUnit.SECONDS).cells()).as("cells that came in").isPositive();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the load came to its end", e);
    }
  }

  /** Trips that end when somebody says so. */
  private static final class UntilStopped implements CellSequence {
    private final TripGenerator trips;
    private volatile boolean stopped;

    UntilStopped(TripGenerator trips) {
      this.trips = trips;
    }

    @Override
    public Optional<Cell> next() {
      return stopped ? Optional.empty() : trips.next();
    }

    @Override
    public long trips() {
      return trips.trips();
    }

    @Override
    public void close() {}
  }
}
