package io.cellmesh.worker.http;

/** Ends a call with a problem. */
final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  ProblemException(Problem problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  Problem problem() {
    return problem;
  }
}
