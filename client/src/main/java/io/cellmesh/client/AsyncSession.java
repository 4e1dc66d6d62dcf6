package io.cellmesh.client;

import io.cellmesh.cell.CellKey;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * A {@link Session} whose calls return at once; both share what was written. Futures fail with
 * {@link CellmeshException}. To cancel one closes its connections; a write may have been accepted
 * all the same. Don't block in what depends on them: it runs on threads that bring other answers.
 */
public final class AsyncSession {
  private final Calls calls;
  private final Requests requests;
  private final SessionPositions positions;
  private final CallOptions options;

  AsyncSession(Calls calls, Requests requests, SessionPositions positions, CallOptions options) {
    this.calls = calls;
    this.requests = requests;
    this.positions = positions;
    this.options = options;
  }

  /** Writes a cell; see {@link Session#put}. */
  public CompletableFuture<WriteResult> put(NewCell cell) {
    if (!Keys.fitsPath(cell.key().columnName())) {
      return only(putAll(List.of(cell)));
    }
    return calls.make(
        requests.put(cell, options),
        reply -> Writes.single(reply).map(this::remembered),
        options.deadline());
  }

  /** Writes many cells; see {@link Session#putAll}. */
  public CompletableFuture<List<Outcome<WriteResult>>> putAll(List<NewCell> cells) {
    return new Batch<NewCell, WriteResult>(
            calls,
            cells,
            some -> requests.put(some, options),
            (cell, json) -> remembered(Writes.part(cell.key(), json)),
            options.deadline())
        .start();
  }

  /** Reads one cell; see {@link Session#get(CellKey)}. */
  public CompletableFuture<ReadResult> get(CellKey key) {
    return get(Lookup.cell(key));
  }

  /** Reads the latest cell of a column; see {@link Session#latest(UUID, String)}. */
  public CompletableFuture<ReadResult> latest(UUID row, String column) {
    return get(Lookup.latest(row, column));
  }

  /** Reads all cells of a row; see {@link Session#row}. */
  public CompletableFuture<ReadResult> row(UUID row) {
    return get(Lookup.row(row));
  }

  /** Reads; see {@link Session#get(Lookup)}. */
  public CompletableFuture<ReadResult> get(Lookup lookup) {
    if (!lookup.column().map(Keys::fitsPath).orElse(true)) {
      return only(getAll(List.of(lookup)));
    }
    return calls.make(
        requests.get(lookup, options, positions),
        reply -> Reads.single(lookup, reply),
        options.deadline());
  }

  /** Reads many; see {@link Session#getAll}. */
  public CompletableFuture<List<Outcome<ReadResult>>> getAll(List<Lookup> lookups) {
    return new Batch<Lookup, ReadResult>(
            calls,
            lookups,
            some -> requests.get(some, options, positions),
            Reads::part,
            options.deadline())
        .start();
  }

  /** Reads a page of an index; see {@link Session#query}. */
  public CompletableFuture<IndexPage> query(IndexQuery query) {
    return calls.make(requests.query(query, options), Reads::page, options.deadline());
  }

  CallOptions options() {
    return options;
  }

  SessionPositions positions() {
    return positions;
  }

  AsyncSession with(CallOptions other) {
    return new AsyncSession(calls, requests, positions, other);
  }

  private WriteResult remembered(WriteResult result) {
    result.position().ifPresent(positions::add);
    return result;
  }

  private Outcome<WriteResult> remembered(Outcome<WriteResult> outcome) {
    if (outcome instanceof Outcome.Done<WriteResult> done) {
      remembered(done.value());
    }
    return outcome;
  }

  private static <T> CompletableFuture<T> only(CompletableFuture<List<Outcome<T>>> batch) {
    var one = new CompletableFuture<T>();
    batch.whenComplete(
        (outcomes, failure) -> {
          if (failure != null) {
            one.completeExceptionally(failure);
          } else if (outcomes.get(0) instanceof Outcome.Done<T> done) {
            one.complete(done.value());
          } else if (outcomes.get(0) instanceof Outcome.Failed<T> failed) {
            one.completeExceptionally(failed.failure());
          }
        });
    one.whenComplete((value, failure) -> batch.cancel(true));
    return one;
  }
}
