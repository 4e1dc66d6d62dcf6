package io.cellmesh.client;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.client.UnrulyWorker.Deed;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;

/** Cells, and answers about them. */
final class Samples {
  static final UUID ROW = UUID.fromString("6f9619ff-8b86-d011-b42d-00cf4fc964ff");
  static final String POSITION = "dc1:AbCdEfGh:3:17";
  static final Duration DEADLINE = Duration.ofSeconds(20);
  static final String SERVER = "c1/master/127.0.0.1:3306";

  private Samples() {}

  static NewCell cell(String column, long ref) {
    try {
      return NewCell.of(ROW, column, ref, "{\"fare\":12.95}");
    } catch (InvalidCellException e) {
      throw new IllegalStateException(e);
    }
  }

  static NewCell trip() {
    return cell("BASE", 1);
  }

  static CellKey key() {
    return trip().key();
  }

  static String json(String column, long ref) {
    return json(ROW, column, ref, "{\"fare\":12.95}");
  }

  static String json(UUID row, String column, long ref, String body) {
    return """
        {"v":1,"row_key":"%s","column_name":"%s","ref_key":%d,"body":%s,"origin":"dc1","origin_id":7,\
        "shard":16,"added_id":7,"created_at":"2026-01-31T12:00:00.120000Z"}"""
        .formatted(row, column, ref, body);
  }

  static Deed found() {
    return found(json("BASE", 1));
  }

  static Deed found(String json, String... headers) {
    return UnrulyWorker.answer(200, json, with("Cellmesh-Served-By: " + SERVER, headers));
  }

  static Deed visible() {
    return visible(POSITION);
  }

  static Deed visible(String position) {
    return UnrulyWorker.answer(
        200,
        "{\"status\":200,\"state\":\"visible\",\"position\":\"%s\"}".formatted(position),
        "Cellmesh-Position: " + position);
  }

  static CellmeshClient client(URI... hosts) {
    return new CellmeshClient(settings(hosts));
  }

  /** Patient, so that no pause of this machine has another host asked as well. */
  static ClientSettings settings(URI... hosts) {
    return ClientSettings.of(
            "trips", Arrays.stream(hosts).map(URI::toString).toArray(String[]::new))
        .withDeadline(DEADLINE)
        .withPatience(DEADLINE.dividedBy(2));
  }

  private static String[] with(String first, String... more) {
    var all = Arrays.copyOf(more, more.length + 1);
    all[more.length] = first;
    return all;
  }
}
