package io.cellmesh.operations.capacity;

import io.cellmesh.operations.OperationException;
import java.util.Map;

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

  /**
   * These, but for those that are named.
   *
   * @param others by name: connections, tables, files, threads, heap_mib, worker_cores,
   *     mysql_cores, commit_ms
   * @throws OperationException for another name, and for what is not above 0
   */
  public Limits with(Map<String, Double> others) {
    var limits = this;
    for (var other : others.entrySet()) {
      limits = limits.with(other.getKey(), other.getValue());
    }
    return limits;
  }

  private Limits with(String name, double n) {
    if (!(n > 0)) {
      throw OperationException.invalid("limit " + name + ": more than 0");
    }
    return switch (name) {
      case "connections",
          "tables",
          "files",
          "threads",
          "heap_mib",
          "worker_cores",
          "mysql_cores",
          "commit_ms" ->
          new Limits(
              name.equals("connections") ? (int) n : connections,
              name.equals("tables") ? (int) n : tables,
              name.equals("files") ? (int) n : files,
              name.equals("threads") ? (int) n : threads,
              name.equals("heap_mib") ? (int) n : heapMiB,
              name.equals("worker_cores") ? n : workerCores,
              name.equals("mysql_cores") ? n : mysqlCores,
              name.equals("commit_ms") ? n : commitMillis);
      default ->
          throw OperationException.invalid(
              "limit %s: one of connections, tables, files, threads, heap_mib, worker_cores, mysql_cores, commit_ms"
                  .formatted(name));
    };
  }
}
