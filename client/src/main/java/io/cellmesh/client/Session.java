package io.cellmesh.client;

import io.cellmesh.cell.CellKey;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Writes and reads, such that a read finds what the session wrote before, whichever worker and
 * MySQL server answers. It remembers one position for each partition that it wrote to, at most as
 * many as the instance has, and sends them with each read; make one for each piece of work that
 * belongs together. Safe for several threads.
 *
 * <p>A call returns within its deadline, whatever hosts do, or throws {@link CellmeshException}: it
 * was refused, or had no answer; then a write may have been accepted all the same, and is safe to
 * be repeated. When interrupted, a call is given up in the same way.
 */
public final class Session {
  private final AsyncSession async;

  Session(AsyncSession async) {
    this.async = async;
  }

  /** The same session, whose calls return at once. */
  public AsyncSession async() {
    return async;
  }

  /**
   * The same session with another deadline of its calls.
   *
   * @param deadline 1 ms to a minute
   * @throws IllegalArgumentException if it is beyond that
   */
  public Session within(Duration deadline) {
    var options = async.options();
    return with(
        new CallOptions(
            ClientSettings.checkDeadline(deadline),
            options.readFrom(),
            options.waitFor(),
            options.priority()));
  }

  /** The same session, reading from other servers; the master by default. */
  public Session readingFrom(ReadFrom servers) {
    var options = async.options();
    return with(
        new CallOptions(options.deadline(), servers, options.waitFor(), options.priority()));
  }

  /** The same session, whose writes wait until a cell has come so far; visible by default. */
  public Session waitingFor(Reached level) {
    var options = async.options();
    return with(new CallOptions(options.deadline(), options.readFrom(), level, options.priority()));
  }

  /** The same session with another priority; normal by default. */
  public Session withPriority(Priority priority) {
    var options = async.options();
    return with(
        new CallOptions(options.deadline(), options.readFrom(), options.waitFor(), priority));
  }

  /**
   * Writes a cell and waits until it has come as far as asked for. The same cell again is a
   * success.
   *
   * @return how far it came by the deadline, or why it will not be stored
   */
  public WriteResult put(NewCell cell) throws InterruptedException {
    return await(async.put(cell));
  }

  /**
   * Writes many cells, each of which succeeds or fails for itself; nothing is written if one of
   * them breaks a rule.
   *
   * @param cells 1 to {@value WorkerApi#MAX_BATCH}
   * @return their outcomes in their order
   * @throws IllegalArgumentException if there are none or too many
   */
  public List<Outcome<WriteResult>> putAll(List<NewCell> cells) throws InterruptedException {
    return await(async.putAll(cells));
  }

  /** Reads one cell. */
  public ReadResult get(CellKey key) throws InterruptedException {
    return await(async.get(key));
  }

  /** Reads the cell with the highest ref_key of a column. */
  public ReadResult latest(UUID row, String column) throws InterruptedException {
    return await(async.latest(row, column));
  }

  /** Reads all cells of a row, by column and ref_key. */
  public ReadResult row(UUID row) throws InterruptedException {
    return await(async.row(row));
  }

  /** Reads what is asked for. */
  public ReadResult get(Lookup lookup) throws InterruptedException {
    return await(async.get(lookup));
  }

  /**
   * Reads many, over all shards, each of which succeeds or fails for itself.
   *
   * @param lookups 1 to {@value WorkerApi#MAX_BATCH}
   * @return their outcomes in their order
   * @throws IllegalArgumentException if there are none or too many
   */
  public List<Outcome<ReadResult>> getAll(List<Lookup> lookups) throws InterruptedException {
    return await(async.getAll(lookups));
  }

  /** Reads a page of an index, which follows the cells: it may not have what was just written. */
  public IndexPage query(IndexQuery query) throws InterruptedException {
    return await(async.query(query));
  }

  /**
   * What the session remembers, for {@link CellmeshClient#session(String)} in another process;
   * empty if it wrote nothing.
   */
  public String positions() {
    return async.positions().toString();
  }

  private Session with(CallOptions options) {
    return new Session(async.with(options));
  }

  private static <T> T await(CompletableFuture<T> call) throws InterruptedException {
    try {
      return call.get();
    } catch (InterruptedException e) {
      call.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CellmeshException failure) {
        // The caller's own stack says more than that of the thread that brought the answer.
        failure.setStackTrace(new Throwable().getStackTrace());
        throw failure;
      }
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
