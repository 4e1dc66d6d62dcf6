package io.cellmesh.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cellmesh.cell.index.IndexDefinition;
import java.util.List;

/** Indexes over {@link TripCells}: by a person of few trips, one of fewer, and by eight cities. */
final class BenchIndexes {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final List<IndexDefinition> FIRST =
      List.of(
          IndexDefinition.parse(
              """
              table: bench_driver
              datastore: trips
              column_defs:
                - column_key: BASE
                  fields:
                    - {field: driver_uuid, type: UUID}
                    - {field: city, type: string}
                    - {field: trip_created_at, type: datetime}
              """),
          IndexDefinition.parse(
              """
              table: bench_client
              datastore: trips
              column_defs:
                - column_key: BASE
                  fields:
                    - {field: client_uuid, type: UUID}
                    - {field: trip_created_at, type: datetime}
                    - {field: fare.amount, type: decimal}
              """),
          IndexDefinition.parse(
              """
              table: bench_city
              datastore: trips
              column_defs:
                - column_key: BASE
                  fields:
                    - {field: city, type: string}
                    - {field: vehicle, type: string}
                    - {field: trip_created_at, type: datetime}
                    - {field: fare.currency, type: string}
              """));

  private BenchIndexes() {}

  /** All three, each with tables and topics of its own in each version. */
  static List<IndexDefinition> all(int version) {
    return FIRST.stream().map(index -> index.withVersion(version)).toList();
  }

  /** The shard field's value that a cell has, which is its canonical text. */
  static String shardValue(IndexDefinition index, BenchCell cell) {
    try {
      return JSON.readTree(cell.body()).get(index.shardField().name()).textValue();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a made-up cell is none", e);
    }
  }
}
