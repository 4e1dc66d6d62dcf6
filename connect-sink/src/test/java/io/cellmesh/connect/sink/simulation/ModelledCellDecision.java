package io.cellmesh.connect.sink.simulation;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Topology;
import io.cellmesh.connect.sink.simulation.ModelledServer.Row;
import io.cellmesh.storage.Decision;
import io.cellmesh.storage.EntityTable.Outcome;
import io.cellmesh.storage.EntityTransaction.Write;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Refusals;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/** Says what becomes of the cells of a transaction, as {@code CellDecision} does. */
record ModelledCellDecision(
    List<Row> fresh,
    List<Decision> conflicts,
    List<Decision> news,
    List<Row> misfits,
    int duplicates) {

  static ModelledCellDecision of(
      ModelledServer server, Topology topology, List<Write> writes, Refusals refusals)
      throws SQLException {
    var fresh = new ArrayList<Row>();
    var misfits = new ArrayList<Row>();
    var conflicts = new ArrayList<Decision>();
    var news = new ArrayList<Decision>();
    int duplicates = 0;
    var kept = new HashMap<CellKey, Row>();
    for (var write : writes) {
      for (var topic : IngestTopic.values()) {
        for (var cell : write.cells().getOrDefault(topic, List.of())) {
          var mine =
              new Row(
                  cell,
                  topic,
                  write.partition(),
                  cell.cell().origin().map(o -> o.datacenter()).orElse(topology.datacenter()));
          var key = cell.cell().key();
          var first = kept.getOrDefault(key, server.entity.get(key));
          if (first == null && !Cells.fits(cell.cell())) {
            misfits.add(mine);
          } else if (first == null) {
            kept.put(key, mine);
            fresh.add(mine);
          } else if (first.cell().cell().body().sameAs(cell.cell().body())) {
            duplicates++;
          } else {
            var decision = decision(first, mine, refusals);
            conflicts.add(decision);
            if (!server.conflicts.containsKey(decision.place())) {
              news.add(decision);
            }
          }
        }
      }
    }
    if (news.stream().map(Decision::place).distinct().count() < news.size()) {
      throw new SQLException("Duplicate entry", "23000", 1062);
    }
    return new ModelledCellDecision(fresh, conflicts, news, misfits, duplicates);
  }

  private static Decision decision(Row first, Row mine, Refusals refusals) {
    return new Decision(
        refusals.place(mine.topic(), mine.partition(), mine.cell()),
        mine.topic(),
        mine.cell().cell().key(),
        first.cell().cell().body().digest(),
        mine.cell().cell().body().digest(),
        first.origin(),
        mine.origin(),
        refusals.record(mine.topic(), mine.partition(), mine.cell(), 1 << 20));
  }

  void tell(Refusals refusals) {
    for (var row : misfits) {
      var reason = InvalidCellException.of("record", "MySQL refuses its value");
      refusals.misfit(row.topic(), row.partition(), row.cell(), reason);
    }
    refusals.await();
  }

  Outcome outcome() {
    return new Outcome(fresh.size(), duplicates, conflicts, misfits.size());
  }
}
