package io.cellmesh.worker.http;

import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.storage.AnswerTooLargeException;
import io.cellmesh.storage.index.IndexQueryException;
import io.cellmesh.storage.index.NoSuchIndexException;
import io.cellmesh.worker.load.DeadlineException;
import io.cellmesh.worker.load.OverloadedException;
import io.cellmesh.worker.load.UnavailableException;
import io.javalin.http.HttpResponseException;
import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import org.eclipse.jetty.http.HttpStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one place that says which failure is which problem. */
final class Problems {
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

  private Problems() {}

  /** The problem to tell; what only this worker's operator can mend is logged, too. */
  static Problem of(Throwable failure) {
    var e = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
    if (e instanceof ProblemException known) {
      return known.problem();
    }
    if (e instanceof InvalidCellException invalid) {
      return Problem.invalid(invalid.field(), invalid.getMessage(), invalid.rule());
    }
    if (e instanceof NoSuchIndexException) {
      return Problem.noSuchIndex(e.getMessage());
    }
    if (e instanceof IndexQueryException) {
      return Problem.invalid("query", e.getMessage(), "the query does not fit the index");
    }
    if (e instanceof AnswerTooLargeException) {
      return Problem.tooLarge(e.getMessage() + "; ask for less at once");
    }
    if (e instanceof OverloadedException) {
      return Problem.overloaded(e.getMessage() + " has too much to do; repeat the call");
    }
    if (e instanceof DeadlineException) {
      return Problem.unavailable("the deadline came before its turn at " + e.getMessage());
    }
    if (e instanceof UnavailableException) {
      return Problem.unavailable(e.getMessage());
    }
    if (e instanceof HttpResponseException http) {
      return Problem.of(http.getStatus(), title(http.getStatus()));
    }
    return unexpected(e);
  }

  private static Problem unexpected(Throwable e) {
    if (e instanceof SQLException) {
      LOG.error("a MySQL server refuses: {}", e.getMessage());
      return Problem.unavailable("a MySQL server refuses; the worker's log says why");
    }
    LOG.error("a call failed", e);
    return Problem.of(500, title(500));
  }

  static String title(int status) {
    var known = HttpStatus.getMessage(status);
    return known.isEmpty() ? "status %d".formatted(status) : known.toLowerCase(Locale.ROOT);
  }
}
