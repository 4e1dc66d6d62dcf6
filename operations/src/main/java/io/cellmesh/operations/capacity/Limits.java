package io.cellmesh.operations.capacity;

/**
 * What the machines allow.
 *
 * @param connections {@code max_connections} of a MySQL server
 * @param tables {@code table_open_cache} of a MySQL server
 * @param files that a Connect worker may have open
 * @param threads that a Connect worker may have
 * @param heapMiB {@code -Xmx} of a Connect worker
 * @param workerCores processors of a Connect worker
 * @param mysqlCores processors of a MySQL server
 * @param commitMillis that a commit takes on its disk
 */
public record Limits(
    int connections,
    int tables,
    int files,
    int threads,
    int heapMiB,
    double workerCores,
    double mysqlCores,
    double commitMillis) {

  /**
   * What servers come with: MySQL's own defaults, Kafka's heap for a Connect worker, the limits of
   * most Linux systems and containers, four processors each, a commit of 2 ms.
   */
  public static final Limits USUAL = new Limits(151, 4000, 4096, 4096, 2048, 4, 4, 2);
}
