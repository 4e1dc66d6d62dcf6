package io.cellmesh.client;

import io.cellmesh.cell.Printable;
import java.time.Duration;
import java.util.Optional;

/**
 * A call without a result: a worker refused it, or no worker gave an answer in time. Such a write
 * may have been accepted all the same, unless it was refused with a status from 400 to 428; it may
 * be repeated. The message names the host and what it said, and never a body or a token.
 */
public final class CellmeshException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String type;
  private final String title;
  private final String detail;
  private final String field;
  private final String rule;
  private final Duration retryAfter;

  private CellmeshException(String message, Problem problem, Duration retryAfter, Throwable cause) {
    super(message, cause);
    this.status = problem.status();
    this.type = problem.type();
    this.title = problem.title();
    this.detail = problem.detail();
    this.field = problem.field().orElse(null);
    this.rule = problem.rule().orElse(null);
    this.retryAfter = retryAfter;
  }

  /**
   * A worker's answer.
   *
   * @param subject who gave it, or what it is about
   */
  static CellmeshException told(String subject, Problem problem, Optional<Duration> retryAfter) {
    var message = new StringBuilder(subject).append(": ").append(problem.status());
    if (!problem.title().isEmpty()) {
      message.append(' ').append(shown(problem.title()));
    }
    if (!problem.detail().isEmpty()) {
      message.append(": ").append(shown(problem.detail()));
    }
    return new CellmeshException(message.toString(), problem, retryAfter.orElse(null), null);
  }

  /** No answer of a worker. */
  static CellmeshException unreachable(String host, String reason, Throwable cause) {
    var detail = host + ": " + shown(reason);
    return new CellmeshException(detail, Problem.of(0, detail), null, cause);
  }

  /** The deadline came first. */
  static CellmeshException late(Duration deadline, Optional<CellmeshException> last) {
    var detail =
        "no answer within "
            + deadline.toMillis()
            + " ms"
            + last.map(failure -> "; last: " + failure.getMessage()).orElse("");
    return new CellmeshException(detail, Problem.of(0, detail), null, last.orElse(null));
  }

  /** The HTTP status; 0 if no worker gave an answer. */
  public int status() {
    return status;
  }

  /** A URI that names the kind of problem; {@code about:blank} if none is told. */
  public String type() {
    return type;
  }

  /** The kind of problem in words; may be empty. */
  public String title() {
    return title;
  }

  /** What is wrong, in the worker's words where it has any. */
  public String detail() {
    return detail;
  }

  /** The field at fault, of a call that breaks a rule. */
  public Optional<String> field() {
    return Optional.ofNullable(field);
  }

  /** The rule that the field breaks. */
  public Optional<String> rule() {
    return Optional.ofNullable(rule);
  }

  /** After which time the worker asks for the call again; empty if it does not say. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  private static String shown(String text) {
    return Printable.of(Shortened.of(text));
  }
}
