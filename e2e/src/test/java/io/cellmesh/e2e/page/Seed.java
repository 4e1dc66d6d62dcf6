package io.cellmesh.e2e.page;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.topics.trigger.Start;
import io.cellmesh.triggers.ParkException;
import io.cellmesh.triggers.RunningTrigger;
import io.cellmesh.triggers.Trigger;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Brings into an instance something of all that the page shows. */
final class Seed {
  /** What would do harm if it were anything but text. */
  static final String HOSTILE = "<img src=x onerror=\"document.title='harm'\">";

  /** Not the one of docs/worker.md, which {@link WorkerPath} writes. */
  static final UUID ROW = UUID.fromString("0b5e2a64-6f3c-4f0e-9a53-6f1f3a0f6f03");

  static final UUID PARKED = UUID.fromString("0b5e2a64-6f3c-4f0e-9a53-6f1f3a0f6f02");

  private static final int ROWS = 60;
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final int port;
  private final DataCenter dc;

  Seed(int port, DataCenter dc) {
    this.port = port;
    this.dc = dc;
  }

  /**
   * Writes cells, a conflict, a record that is no cell, and cells that do not fit the index.
   *
   * @return the position of the newest cell of {@link #ROW}
   */
  String write() {
    for (int i = 0; i < ROWS; i++) {
      put(UUID.randomUUID(), "BASE", 1, trip(UUID.randomUUID().toString(), 8.5 + i));
    }
    var driver = UUID.randomUUID().toString();
    put(ROW, "BASE", 1, trip(driver, 12.5));
    put(ROW, "NOTE", 1, "{\"text\":\"%s\"}".formatted(HOSTILE.replace("\"", "\\\"")));
    put(ROW, "STATUS", 1, "\"driving\"");
    put(ROW, "BASE", 1, trip(driver, 13.5));
    put(UUID.randomUUID(), "BASE", 1, trip("no driver", 7));
    reject(HOSTILE, "{}");
    reject(UUID.randomUUID().toString(), "no JSON");
    return put(ROW, "BASE", 2, trip(driver, 14.25))
        .headers()
        .firstValue("Cellmesh-Position")
        .orElseThrow();
  }

  /** A trigger in this process, which gives up on one row. */
  RunningTrigger trigger() throws InterruptedException {
    put(PARKED, "STATUS", 1, "\"card declined\"");
    return Trigger.named("billing")
        .on("STATUS")
        .of(dc)
        .startingAt(new Start.Beginning())
        .call(
            cell -> {
              if (cell.row().equals(PARKED)) {
                throw new ParkException("the provider says: card declined");
              }
            })
        .start();
  }

  HttpResponse<String> put(UUID row, String column, long ref, String body) {
    return put(row, column, ref, body, "");
  }

  HttpResponse<String> put(UUID row, String column, long ref, String body, String query) {
    var uri =
        "http://127.0.0.1:%d/v1/trips/cells/%s/%s/%d%s".formatted(port, row, column, ref, query);
    try {
      return HTTP.send(
          HttpRequest.newBuilder(URI.create(uri)).PUT(BodyPublishers.ofString(body)).build(),
          BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static UUID rowOf(Topology topology, String cluster) {
    while (true) {
      var row = UUID.randomUUID();
      if (topology.clusterOf(topology.shards().of(row)).name().equals(cluster)) {
        return row;
      }
    }
  }

  private void reject(String key, String value) {
    try (var producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", dc.kafka().bootstrap()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(dc.topology().topics().cells(), bytes(key), bytes(value)));
    }
  }

  private static String trip(String driver, double fare) {
    return "{\"driver_partner_uuid\":\"%s\",\"city_uuid\":\"%s\",\"trip_created_at\":\"2026-01-31T12:00:00Z\",\"fare\":%s}"
        .formatted(driver, ROW, fare);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
