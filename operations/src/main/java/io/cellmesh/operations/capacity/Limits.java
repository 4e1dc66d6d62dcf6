package io.cellmesh.operations.capacity;

import io.cellmesh.operations.OperationException;
import java.util.List;
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

  private static final List<String> NAMES =
      List.of(
          "connections",
          "tables",
          "files",
          "threads",
          "heap_mib",
          "worker_cores",
          "mysql_cores",
          "commit_ms");

  /**
   * Replaces those that are named.
   *
   * @param others by name: connections, tables, files, threads, heap_mib, worker_cores,
   *     mysql_cores, commit_ms
   * @throws OperationException for another name, and for what is not above 0
   */
  public Limits with(Map<String, Double> others) {
    others.forEach(Limits::check);
    return new Limits(
        whole(others, "connections", connections),
        whole(others, "tables", tables),
        whole(others, "files", files),
        whole(others, "threads", threads),
        whole(others, "heap_mib", heapMiB),
        others.getOrDefault("worker_cores", workerCores),
        others.getOrDefault("mysql_cores", mysqlCores),
        others.getOrDefault("commit_ms", commitMillis));
  }

  private static void check(String name, double limit) {
    if (!NAMES.contains(name)) {
      throw OperationException.invalid(
          "limit %s: one of %s".formatted(name, String.join(", ", NAMES)));
    }
    if (!(limit > 0)) {
      throw OperationException.invalid("limit " + name + ": more than 0");
    }
  }

  private static int whole(Map<String, Double> others, String name, int usual) {
    return others.getOrDefault(name, (double) usual).intValue();
  }
}
