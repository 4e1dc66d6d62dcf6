package io.cellmesh.topics.load;

import io.cellmesh.cell.InvalidCellException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Produces every cell of a source. */
public final class Loader {
  private final CellProducer producer;
  private final double cellsPerSecond;

  /**
   * @param cellsPerSecond 0 for as fast as possible
   */
  public Loader(CellProducer producer, double cellsPerSecond) {
    this.producer = producer;
    this.cellsPerSecond = cellsPerSecond;
  }

  /**
   * Returns once every cell is acknowledged.
   *
   * @param progress called with the number of cells acknowledged so far, from another thread
   */
  public Result load(CellSequence source, LongConsumer progress)
      throws IOException, InvalidCellException, InterruptedException {
    long start = System.nanoTime();
    var acknowledged = new AtomicLong();
    var pace = new Pace(cellsPerSecond, System::nanoTime);
    for (var cell = source.next(); cell.isPresent(); cell = source.next()) {
      pace.await();
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      producer.send(cell.get(), place -> progress.accept(acknowledged.incrementAndGet()));
    }
    producer.flush();
    var took = Duration.ofNanos(System.nanoTime() - start);
    return new Result(source.trips(), acknowledged.get(), took);
  }

  /**
   * @param trips rows that were begun
   * @param cells cells that Kafka acknowledged
   */
  public record Result(long trips, long cells, Duration took) {
    public double cellsPerSecond() {
      return cells / Math.max(0.001, took.toNanos() / 1e9);
    }
  }
}
