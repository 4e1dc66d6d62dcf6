package io.cellmesh.operations.verify;

import static io.cellmesh.operations.verify.World.cells;
import static io.cellmesh.operations.verify.World.entities;
import static io.cellmesh.operations.verify.World.key;
import static io.cellmesh.operations.verify.World.own;
import static io.cellmesh.operations.verify.World.produced;
import static io.cellmesh.operations.verify.World.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.LogRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderChecksTest {
  private final Tally produced = ProducedOrderCheck.tally("dc1");
  private final Tally logged = LoggedOrderCheck.tally("dc1");

  @Test
  void cellsThatStandAsTheyWereProducedPass() {
    var result = order(entities(own(key(1), "1", 1), own(key(2), "1", 5)), 1, 2, 1);

    assertThat(result.passed()).isTrue();
    assertThat(result.counts()).containsEntry("cells", 2L);
  }

  @Test
  void swappedRowsAreNamed() {
    var result = order(entities(own(key(2), "1", 1), own(key(1), "1", 5)), 1, 2);

    assertThat(result.offences()).isEqualTo(1);
    assertThat(result.first().get(0).key()).isEqualTo(key(2).toString());
    assertThat(result.first().get(0).what()).contains("was produced into trips.cells after");
  }

  @Test
  void aLogThatIsTheTablePassesAndItsRepetitionsAreCounted() {
    var one = own(key(1), "1", 1);
    var two = own(key(2), "1", 2);

    var result = log(entities(one, two), true, one, two, one, two);

    assertThat(result.passed()).isTrue();
    assertThat(result.counts()).containsEntry("cells", 2L).containsEntry("repeated", 2L);
  }

  @Test
  void aRowThatTheLogLacksIsNamed() {
    var result = log(entities(own(key(1), "1", 1), own(key(2), "1", 2)), true, own(key(1), "1", 1));

    assertThat(result.offences()).isEqualTo(1);
    assertThat(result.first().get(0).key()).isEqualTo(key(2).toString());
  }

  @Test
  void aLogRecordWithoutARowIsNamed() {
    var result = log(entities(), true, own(key(1), "1", 1));

    assertThat(result.first().get(0).what()).isEqualTo("is in the log and not in the entity table");
  }

  @Test
  void anotherOrderIsNamed() {
    var one = own(key(1), "1", 1);
    var two = own(key(2), "1", 2);

    var result = log(entities(one, two), true, two, one);

    assertThat(result.offences()).isEqualTo(1);
    assertThat(result.first().get(0).key()).isEqualTo(key(1).toString());
  }

  @Test
  void everyFieldIsCompared() {
    var logged = own(key(1), "1", 1);
    var later = new LogRecord(logged.cell(), logged.shard(), 1, World.NOON.plusNanos(1000));

    assertThat(offence(own(key(1), "2", 1), logged)).contains("another body");
    assertThat(offence(row(key(1), "1", 1, "dc2", 1), logged)).contains("another origin");
    assertThat(offence(own(key(1), "1", 9), row(key(1), "1", 1, "dc1", 9))).contains("added_id 1");
    assertThat(offence(later, logged)).contains("created_at");
  }

  @Test
  void rowsMayBeOlderThanALogThatLostItsBeginning() {
    var two = own(key(2), "1", 2);

    assertThat(log(entities(own(key(1), "1", 1), two), false, two).passed()).isTrue();
  }

  @Test
  void aRebuildBringsBackInTheirOrderTheRowsThatTheLogHadLost() {
    var one = own(key(1), "1", 1);
    var two = own(key(2), "1", 2);
    var three = own(key(3), "1", 3);

    assertThat(log(entities(one, two, three), false, three, one, two, three).passed()).isTrue();
    assertThat(log(entities(one, two, three), false, three, two, one, three).offences())
        .isEqualTo(1);
  }

  @Test
  void aLogThatWasDeletedAndRebuiltIsTheTable() {
    var one = own(key(1), "1", 1);
    var two = own(key(2), "1", 2);

    assertThat(log(entities(one, two), false, one, two).counts()).containsEntry("repeated", 0L);
  }

  @Test
  void evenALogThatLostItsBeginningHasEverythingBehindIt() {
    var one = own(key(1), "1", 1);

    assertThat(log(entities(one, own(key(2), "1", 2)), false, one).offences()).isEqualTo(1);
  }

  private String offence(LogRecord row, LogRecord record) {
    var tally = LoggedOrderCheck.tally("dc1");
    var check = new LoggedOrderCheck(tally, entities(row), true);
    check.record(record);
    check.finish();
    assertThat(tally.result().offences()).isEqualTo(1);
    return tally.result().first().get(0).what();
  }

  private CheckResult log(Entities entities, boolean complete, LogRecord... records) {
    var check = new LoggedOrderCheck(logged, entities, complete);
    List.of(records).forEach(check::record);
    check.finish();
    return logged.result();
  }

  /** Feeds the rows' cells through both checks, as they are fed for a partition. */
  private CheckResult order(Entities entities, int... rows) {
    var conservation =
        new ConservationCheck(
            ConservationCheck.tally("dc1"),
            "dc1",
            World.SHARDS,
            entities,
            new Rejections(),
            record -> false);
    var check = new ProducedOrderCheck(produced);
    int offset = 0;
    for (int row : rows) {
      var record = cells(offset++, produced(key(row), "1"));
      conservation.record(record).ifPresent(r -> check.produced(record.topic(), r));
    }
    return produced.result();
  }
}
