package io.cellmesh.worker.http;

import io.cellmesh.health.AppMetric;
import java.util.List;

/**
 * Every metric of a worker, as the table on its page lists them. Prometheus calls the process that
 * it asks the instance, so ours has another name here.
 */
public enum WorkerMetric implements AppMetric {
  READY("ready", Kind.GAUGE, "1 while the worker can serve.", "cellmesh_instance"),
  REQUESTS("requests_total", Kind.COUNTER, "Calls that were answered.", "route", "status"),
  SECONDS("request_seconds", Kind.HISTOGRAM, "How long answers took.", "route"),
  REFUSED(
      "refused_total",
      Kind.COUNTER,
      "Calls whose caller was unknown or lacked a right, by the problem's type.",
      "problem"),
  FILE_IN_FORCE(
      "file_in_force",
      Kind.GAUGE,
      "0 while the file of tokens or certificate can't be used, and what it had before counts.",
      "file"),
  IN_FLIGHT("requests_in_flight", Kind.GAUGE, "Calls that are not answered yet."),
  WAITS(
      "waits_total",
      Kind.COUNTER,
      "Writes that Kafka acknowledged, by how their wait ended; late if the deadline came first.",
      "outcome"),
  QUEUED("queued", Kind.GAUGE, "What is in a queue or being done.", "cellmesh_instance", "queue"),
  TURNED_AWAY(
      "turned_away_total",
      Kind.COUNTER,
      "Calls that a full queue turned away, which were told 429 if no other server took them.",
      "cellmesh_instance",
      "queue"),
  HEDGES(
      "hedges_total",
      Kind.COUNTER,
      "Reads that kept waiting: a second server was asked as well and won or lost, or it was capped and not asked.",
      "cellmesh_instance",
      "outcome"),
  LOOKS(
      "looks_total",
      Kind.COUNTER,
      "How often a cluster's master was asked for its positions.",
      "cellmesh_instance",
      "cluster"),
  SERVER_HEALTHY(
      "server_healthy",
      Kind.GAUGE,
      "0 while a MySQL server, or `kafka`, is left alone because it did not answer.",
      "cellmesh_instance",
      "server"),
  SCRUB_UP(
      "scrub_up",
      Kind.GAUGE,
      "1 while the entity tables are read to prove that they are as the log.",
      "cellmesh_instance"),
  SCRUB_ROWS(
      "scrub_rows_total",
      Kind.COUNTER,
      "Entity rows that were read for that.",
      "cellmesh_instance"),
  SCRUB_DIFFERENCES(
      "scrub_differences",
      Kind.GAUGE,
      "Places in which the tables of a server differ from the log, in the partitions that this worker reads; `cellmesh mesh status` names them.",
      "cellmesh_instance"),
  SCRUB_AGE(
      "scrub_age_seconds",
      Kind.GAUGE,
      "How long ago the partition was read, of those that this worker reads, that was read longest ago; none before the first.",
      "cellmesh_instance");

  private final Description description;

  WorkerMetric(String name, Kind kind, String meaning, String... labels) {
    this.description = new Description("cellmesh_worker_" + name, kind, meaning, List.of(labels));
  }

  @Override
  public Description description() {
    return description;
  }
}
