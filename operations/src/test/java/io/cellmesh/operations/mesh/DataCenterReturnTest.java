package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.deployment.TopologyStore;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataCenterReturnTest {
  private static final CellKey KEY = new CellKey(new UUID(1, 2), "BASE", 1);
  private static final DataCenter DC1 = datacenter("dc1");

  private final DataCenterReturn back =
      new DataCenterReturn(new DataCenterLoss("dc2", List.of(DC1)), datacenter("dc2"));
  private final DataCenterReturn.Last last = new DataCenterReturn.Last(3, DC1, 812);

  @Test
  void whoever_has_the_last_cell_under_its_id_has_lost_nothing() throws Exception {
    assertThat(back.lack(last, found(), row("dc2", 812, "{\"n\":1}"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"dc2, 813, 1", "dc1, 812, 1", "dc2, 812, 2"})
  void one_that_stands_there_otherwise_is_not_the_cell(String origin, long id, int body)
      throws Exception {
    assertThat(back.lack(last, found(), row(origin, id, "{\"n\":%d}".formatted(body))))
        .hasValueSatisfying(text -> assertThat(text).startsWith("dc2 lacks cells of its own"));
  }

  @Test
  void one_that_is_not_there_is_named_and_so_is_what_not_to_do() throws Exception {
    assertThat(back.lack(last, found(), Optional.empty()))
        .contains(
            "dc2 lacks cells of its own that dc1 has, such as shard 3, origin_id 812: %s; don't open its masters, or their ids are given out again"
                .formatted(KEY));
  }

  @Test
  void what_can_not_be_told_is_not_taken_for_granted() {
    assertThat(back.lack(last, Optional.empty(), Optional.empty()))
        .hasValueSatisfying(text -> assertThat(text).startsWith("it can't be told"));
  }

  private static Optional<RangeCells.Found> found() throws InvalidCellException {
    return Optional.of(new RangeCells.Found(KEY, Body.ofJson("{\"n\":1}").digest()));
  }

  private static Optional<LogRecord> row(String origin, long id, String body)
      throws InvalidCellException {
    var cell = new Cell(KEY, Body.ofJson(body), Optional.of(new Origin(origin, id)));
    return Optional.of(new LogRecord(cell, 3, id, Instant.EPOCH));
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
              - {name: c1, shards: 0-3, epoch: 1, master: {url: "mysql://127.0.0.1:1"}}
            """
                .formatted(name));
    return new DataCenter(
        name,
        topology,
        TopologyStore.ofFile(Path.of("topology.yaml")),
        FixedAccess.plain(
            "127.0.0.1:9", URI.create("http://127.0.0.1:1"), new Credentials("root", "")));
  }
}
