package io.cellmesh.connect.sink.base;

import io.cellmesh.cell.Topology.StorageCluster;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * Executes one piece of work at a time on each primary. Whoever waits for it loses patience in the
 * end: the work then goes on by itself, its result is not awaited any more, and the primary counts
 * as busy until it is over. So a primary that hangs holds up the others no longer than that
 * patience.
 */
public final class PrimaryExecutor {
  private final TaskThreads threads;
  private final Map<String, Future<?>> running = new ConcurrentHashMap<>();

  public PrimaryExecutor(TaskThreads threads) {
    this.threads = threads;
  }

  /** Whether work is still going on there that nobody waits for. */
  public boolean busy(StorageCluster primary) {
    var work = running.get(primary.name());
    return work != null && !work.isDone();
  }

  /**
   * Begins a piece of work.
   *
   * @throws IllegalStateException if the primary is {@link #busy}
   */
  public <T> Started<T> start(StorageCluster primary, Callable<T> work) {
    if (busy(primary)) {
      throw new IllegalStateException(primary.name() + " is busy");
    }
    var started = threads.submit(work);
    running.put(primary.name(), started);
    return new Started<>(primary, started, threads);
  }

  /** A piece of work that was begun. */
  public record Started<T>(StorageCluster primary, Future<T> work, TaskThreads threads) {
    /** Waits for some nanoseconds at most, and says whether it has ended, well or not. */
    public boolean doneWithin(long nanos) {
      return threads.await(work, nanos);
    }

    /**
     * Waits until a time of {@link TaskThreads#nanoTime}.
     *
     * @return the result; null if the patience is over, or the work could not be done
     * @throws RuntimeException that the work ended with
     */
    public T await(long deadline) {
      if (!threads.await(work, deadline - threads.nanoTime())) {
        return null;
      }
      try {
        return work.get();
      } catch (ExecutionException e) {
        throw e.getCause() instanceof RuntimeException known
            ? known
            : new ConnectException(e.getCause());
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }

    private static ConnectException interrupted(InterruptedException e) {
      Thread.currentThread().interrupt();
      return new ConnectException("stopped in the middle of a batch", e);
    }
  }

  /** The time at which a patience that begins now is over. */
  public static long deadline(Duration patience) {
    return System.nanoTime() + patience.toNanos();
  }
}
