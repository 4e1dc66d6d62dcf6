package io.cellmesh.operations.verify;

import static io.cellmesh.operations.verify.World.NOON;
import static io.cellmesh.operations.verify.World.cells;
import static io.cellmesh.operations.verify.World.entities;
import static io.cellmesh.operations.verify.World.invalid;
import static io.cellmesh.operations.verify.World.key;
import static io.cellmesh.operations.verify.World.mesh;
import static io.cellmesh.operations.verify.World.meshed;
import static io.cellmesh.operations.verify.World.own;
import static io.cellmesh.operations.verify.World.produced;
import static io.cellmesh.operations.verify.World.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.LogRecord;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConservationCheckTest {
  private final Tally tally = ConservationCheck.tally("dc1");
  private final Rejections rejections = new Rejections();
  private final Set<Ingested> ledger = new HashSet<>();

  @Test
  void cellsDuplicatesConflictsAndRejectionsAreCountedApart() {
    rejections.add("trips.cells", 0, 2, Optional.empty());
    rejections.add("trips.cells", 0, 3, Optional.empty());

    var result =
        check(
            entities(own(key(1), "{\"a\":1,\"b\":2}", 1)),
            cells(0, produced(key(1), "{\"a\":1,\"b\":2}")),
            cells(1, produced(key(1), "{\"b\":2.0,\"a\":1}")),
            cells(2, produced(key(1), "{\"a\":9}")),
            invalid(3));

    assertThat(result.passed()).isTrue();
    assertThat(result.counts())
        .containsEntry("records", 4L)
        .containsEntry("cells", 1L)
        .containsEntry("duplicates", 1L)
        .containsEntry("conflicts", 1L)
        .containsEntry("rejected", 1L);
  }

  @Test
  void aConflictThatIsDecidedAndNotToldYetIsNoOffence() {
    var second = cells(1, produced(key(1), "2"));
    ledger.add(second);
    var result = check(entities(own(key(1), "1", 1)), cells(0, produced(key(1), "1")), second);

    assertThat(result.passed()).isTrue();
    assertThat(result.counts())
        .containsEntry("conflicts", 1L)
        .containsEntry("conflicts in the ledger only", 1L);
  }

  @Test
  void aRejectionOfAStoredRecordIsNamed() {
    rejections.add("trips.cells", 0, 0, Optional.of(NOON.toEpochMilli()));
    var result = check(entities(own(key(1), "1", 1)), cells(0, produced(key(1), "1")));

    assertOffence(result, key(1) + " (trips.cells-0@0)", "stored, and yet in the topic");
  }

  @Test
  void aRejectionOfARecordThatOnceHadThePlaceOfAnotherIsNone() {
    rejections.add("trips.cells", 0, 0, Optional.of(NOON.minusSeconds(1).toEpochMilli()));

    assertThat(check(entities(own(key(1), "1", 1)), cells(0, produced(key(1), "1"))).passed())
        .isTrue();
  }

  @Test
  void aRecordThatWasToldTwiceCountsOnceAndAsARepeat() {
    rejections.add("trips.cells", 0, 3, Optional.empty());
    rejections.add("trips.cells", 0, 3, Optional.empty());

    assertThat(check(entities(), invalid(3)).counts()).containsEntry("rejected", 1L);
    assertThat(rejections.repeats()).isEqualTo(1);
  }

  @Test
  void aDeletedRowIsNamed() {
    var result = check(entities(), cells(0, produced(key(1), "1")));

    assertOffence(result, key(1) + " (trips.cells-0@0)", "neither an entity row nor rejected");
  }

  @Test
  void aChangedRowIsNamed() {
    var result = check(entities(own(key(1), "2", 1)), cells(0, produced(key(1), "1")));

    assertThat(result.offences()).isEqualTo(2);
    assertThat(result.first().get(0).what()).contains("another body");
    assertThat(result.first().get(1).what()).contains("comes from no record");
  }

  @Test
  void aDamagedBodyIsAnOffenceAndNoFailure() {
    var good = own(key(1), "1", 1);
    var damaged =
        new LogRecord(
            new io.cellmesh.cell.Cell(
                good.cell().key(), Body.ofStored(new byte[] {1, 2, 3}), good.cell().origin()),
            good.shard(),
            1,
            good.createdAt());

    assertThat(check(entities(damaged), cells(0, produced(key(1), "1"))).offences()).isEqualTo(2);
  }

  @Test
  void anAddedRowIsNamed() {
    var result = check(entities(own(key(1), "1", 1)));

    assertOffence(result, key(1).toString(), "comes from no record");
  }

  @Test
  void rowsMayBeOlderThanTopicsThatLostTheirBeginning() {
    var check =
        new ConservationCheck(
            tally,
            "dc1",
            World.SHARDS,
            entities(own(key(1), "1", 1)),
            rejections,
            ledger::contains);
    check.finish(false);

    assertThat(tally.result().passed()).isTrue();
    assertThat(tally.result().counts()).containsEntry("cells older than the topics", 1L);
  }

  @Test
  void rowsMayBeOlderThanTheFirstRecordOfATopicThatWasRecreated() {
    var old = own(key(1), "1", 1);
    var before = new LogRecord(old.cell(), old.shard(), old.addedId(), NOON.minusSeconds(1));

    var result = check(entities(before, own(key(2), "2", 2)), cells(0, produced(key(2), "2")));

    assertThat(result.passed()).isTrue();
    assertThat(result.counts()).containsEntry("cells older than the topics", 1L);
  }

  @Test
  void aBadRecordThatWasNotRejectedIsNamedByItsPlace() {
    assertOffence(check(entities(), invalid(7)), "trips.cells-0@7", "is no cell");
  }

  @Test
  void aMeshCellMustKeepItsOrigin() {
    var result =
        check(entities(row(key(1), "1", 1, "dc3", 5)), mesh(0, meshed(key(1), "1", "dc2", 5)));

    assertOffence(result, key(1).toString(), "comes from no record");
  }

  @Test
  void aCellThatTwoDataCentresAcceptedIsADuplicateInTheOtherTopic() {
    var result =
        check(
            entities(row(key(1), "1", 1, "dc2", 5)),
            cells(0, produced(key(1), "1")),
            mesh(0, meshed(key(1), "1", "dc2", 5)));

    assertThat(result.passed()).isTrue();
    assertThat(result.counts()).containsEntry("cells", 1L).containsEntry("duplicates", 1L);
  }

  @Test
  void aRowInAnotherShardThanItsKeySaysIsNamed() {
    var right = own(key(1), "1", 1);
    var wrong = new LogRecord(right.cell(), right.shard() + 1, 1, right.createdAt());

    assertOffence(
        check(entities(wrong), cells(0, produced(key(1), "1"))), key(1).toString(), "belongs into");
  }

  private CheckResult check(Entities entities, Ingested... records) {
    var check =
        new ConservationCheck(tally, "dc1", World.SHARDS, entities, rejections, ledger::contains);
    List.of(records).forEach(check::record);
    check.finish(true);
    return tally.result();
  }

  private static void assertOffence(CheckResult result, String key, String what) {
    assertThat(result.offences()).isEqualTo(1);
    assertThat(result.first().get(0).key()).isEqualTo(key);
    assertThat(result.first().get(0).what()).contains(what);
  }
}
