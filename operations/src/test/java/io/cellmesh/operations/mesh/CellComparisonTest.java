package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.operations.mesh.CellDifference.Kind;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CellComparisonTest {
  private static final CellKey KEY = new CellKey(new UUID(1, 2), "BASE", 1);

  @Test
  void what_a_log_lacks_is_told_by_the_row_of_its_key() throws InvalidCellException {
    assertThat(kind(FoldSource.LOG, "dc2", 1)).isEqualTo(Kind.UNLOGGED);
    assertThat(kind(FoldSource.LOG, "dc2", 2)).isEqualTo(Kind.CHANGED);
    assertThat(kind(FoldSource.LOG, "dc1", 1)).isEqualTo(Kind.ACCEPTED_HERE);
    assertThat(kind(FoldSource.LOG, "dc1", 2)).isEqualTo(Kind.REFUSED);
  }

  @Test
  void what_a_table_lacks_is_missing_unless_its_key_was_taken_here() throws InvalidCellException {
    assertThat(kind(FoldSource.TABLE, "dc2", 1)).as("of a minion").isEqualTo(Kind.MISSING);
    assertThat(kind(FoldSource.TABLE, "dc2", 2)).isEqualTo(Kind.MISSING);
    assertThat(kind(FoldSource.TABLE, "dc1", 1)).isEqualTo(Kind.ACCEPTED_HERE);
    assertThat(kind(FoldSource.TABLE, "dc1", 2)).isEqualTo(Kind.REFUSED);
  }

  private static Kind kind(FoldSource in, String origin, int value) throws InvalidCellException {
    var comparison = new CellComparison(datacenter("dc2"), datacenter("dc1"), in);
    return comparison.kind(RangeCells.Found.of(cell("dc2", 1)), cell(origin, value));
  }

  private static Cell cell(String origin, int value) throws InvalidCellException {
    var body = Body.ofJson("{\"n\":%d}".formatted(value));
    return new Cell(KEY, body, Optional.of(new Origin(origin, 7)));
  }

  private static DataCenter datacenter(String name) {
    var topology =
        TopologyYaml.parse(
            """
            instance: trips
            shards: 4
            partitions: 2
            datacenter: %s
            clusters:
              - {name: c1, shards: 0-3, epoch: 1, master: {url: "mysql://127.0.0.1:3306"}}
            """
                .formatted(name));
    return new DataCenter(
        name,
        topology,
        TopologyStore.ofFile(Path.of("topology.yaml")),
        FixedAccess.plain(
            "127.0.0.1:9092", URI.create("http://127.0.0.1:1"), new Credentials("root", "")));
  }
}
