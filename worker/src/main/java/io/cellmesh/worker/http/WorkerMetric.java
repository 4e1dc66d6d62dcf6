package io.cellmesh.worker.http;

import io.cellmesh.health.AppMetric;
import java.util.List;

/** Every metric of a worker, as the table on its page lists them. */
public enum WorkerMetric implements AppMetric {
  READY("ready", Kind.GAUGE, "1 while the worker can serve.", "instance"),
  REQUESTS("requests_total", Kind.COUNTER, "Calls that were answered.", "route", "status"),
  SECONDS("request_seconds", Kind.HISTOGRAM, "How long answers took.", "route"),
  IN_FLIGHT("requests_in_flight", Kind.GAUGE, "Calls that are not answered yet."),
  WAITS(
      "waits_total",
      Kind.COUNTER,
      "Writes that Kafka acknowledged, by how their wait ended.",
      "outcome"),
  QUEUED("queued", Kind.GAUGE, "What is in a queue or being done.", "instance", "queue"),
  TURNED_AWAY(
      "turned_away_total",
      Kind.COUNTER,
      "Calls that a full queue turned away, which were told 429 if no other server took them.",
      "instance",
      "queue"),
  LOOKS(
      "looks_total",
      Kind.COUNTER,
      "How often a cluster's master was asked for its positions.",
      "instance",
      "cluster"),
  SERVER_HEALTHY(
      "server_healthy",
      Kind.GAUGE,
      "0 while a MySQL server, or `kafka`, is left alone because it did not answer.",
      "instance",
      "server");

  private final Description description;

  WorkerMetric(String name, Kind kind, String meaning, String... labels) {
    this.description = new Description("cellmesh_worker_" + name, kind, meaning, List.of(labels));
  }

  @Override
  public Description description() {
    return description;
  }
}
