package io.cellmesh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.Body;
import io.cellmesh.cell.Shards;
import java.io.IOException;
import java.util.HashSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TripCellsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void the_same_seed_gives_the_same_cells() {
    assertThat(cells(1, 50)).containsExactly(cells(1, 50).toArray(BenchCell[]::new));
    assertThat(cells(1, 50)).doesNotContainAnyElementsOf(cells(2, 50).toList());
  }

  @Test
  void no_two_cells_are_of_one_row() {
    var rows = new HashSet<>(cells(3, 10_000).map(BenchCell::rowKey).toList());

    assertThat(rows).hasSize(10_000);
  }

  @Test
  void a_row_can_be_chosen() {
    var cells = new TripCells(6);

    for (int i = 0; i < 100; i++) {
      var cell = cells.next(rowKey -> rowKey.getLeastSignificantBits() % 2 == 0);
      assertThat(cell.rowKey().getLeastSignificantBits() % 2).isZero();
    }
  }

  @Test
  void the_stored_row_lies_in_its_shard_and_has_the_same_body() throws IOException {
    var shards = new Shards(64, 16);
    for (var cell : cells(7, 100).toList()) {
      var row = EntityRow.of(cell, shards);

      assertThat(row.shard()).isEqualTo(shards.of(cell.rowKey()));
      assertThat(JSON.readTree(Body.ofStored(row.body()).toJson()))
          .isEqualTo(JSON.readTree(cell.body()));
    }
  }

  @Test
  void bodies_have_about_300_bytes() {
    double mean = cells(4, 1000).mapToInt(cell -> cell.body().length()).average().orElseThrow();

    assertThat(mean).isBetween(270.0, 330.0);
  }

  @Test
  void ours_gets_the_body_as_it_is_and_the_peer_gets_its_text() throws IOException {
    for (var cell : cells(5, 100).toList()) {
      var envelope = JSON.readTree(cell.envelope());
      var flat = JSON.readTree(cell.flat());

      assertThat(envelope.get("body")).isEqualTo(JSON.readTree(cell.body()));
      assertThat(flat.get("body").asText()).isEqualTo(cell.body());
      for (var field : new String[] {"row_key", "column_name", "ref_key"}) {
        assertThat(flat.get(field)).isEqualTo(envelope.get(field));
      }
      assertThat(flat).allMatch(JsonNode::isValueNode);
    }
  }

  private static Stream<BenchCell> cells(long seed, int count) {
    var cells = new TripCells(seed);
    return Stream.generate(cells::next).limit(count);
  }
}
