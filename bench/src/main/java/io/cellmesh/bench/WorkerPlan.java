package io.cellmesh.bench;

/**
 * What to measure of a worker node.
 *
 * @param rounds of each question
 * @param seconds for each measurement that has a length of time
 * @param threads that ask at the same time, of either side
 * @param requests after which its memory is looked at again
 * @param connections that are kept open and idle
 */
public record WorkerPlan(int rounds, int seconds, int threads, long requests, int connections) {
  /**
   * @throws InvalidPlanException naming the option and the rule
   */
  public WorkerPlan {
    InvalidPlanException.check(
        rounds >= 1 && seconds >= 1 && threads >= 1 && requests >= threads && connections >= 0,
        "--rounds, --seconds and --threads must be at least 1, --requests at least --threads");
  }
}
