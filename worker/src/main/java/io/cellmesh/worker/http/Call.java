package io.cellmesh.worker.http;

import io.javalin.http.Context;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * How a route answers: what it waits for is a future, and neither the thread that took the call nor
 * the one that has the answer waits for a server. The thread that writes an answer waits for a
 * client that is slow, for as long as the worker's limits have it.
 *
 * @param answers runs what writes answers
 * @param clock in nanoseconds
 */
record Call(Executor answers, LongSupplier clock) {

  /** Sends what comes of a future: a reply, or the problem that it fails with. */
  void answer(Context context, CompletableFuture<Reply> reply) {
    var told = reply.exceptionally(e -> Reply.of(Problems.of(e), Map.of()));
    if (told.isDone()) {
      told.join().send(context);
    } else {
      context.future(() -> told.thenAcceptAsync(done -> done.send(context), answers));
    }
  }
}
