package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.index.DamagedStates.Footing;
import io.cellmesh.index.TopicCheck.HaltedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

class DamagedStatesTest {
  private static final TopicPartition LOG_5 = new TopicPartition("trips.log", 5);
  private static final StateDamage ROW =
      new StateDamage("row r, partition 5: damaged", OptionalInt.of(5), false);
  private static final StateDamage FILES =
      new StateDamage("RocksDB: Corruption", OptionalInt.empty(), true);

  @TempDir private Path dir;

  private Footing footing =
      new Footing(List.of("d1"), Optional.of(Uuid.randomUuid()), Map.of(LOG_5, 7L));
  private DamagedStates states;

  @BeforeEach
  void open() throws IOException {
    states = new DamagedStates(new LocalState(dir, "trips-index-"));
    keep("p1");
    keep("p2");
  }

  @Test
  void aStateThatIsNotKnownToBeDamagedIsLeftAlone() throws Exception {
    states.settle("p1", at -> footing);
    assertThat(state("p1")).isDirectory();
  }

  @Test
  void theLocalCopyOfADamagedStateIsRemovedOnceAndThenThePassHaltsInWords() throws Exception {
    states.tell("p1", ROW);
    states.settle("p1", at -> footing);
    assertThat(state("p1")).doesNotExist();
    assertThat(state("p2")).isDirectory();

    keep("p1");
    states.tell("p1", ROW);
    assertHalted(
        "row r, partition 5: damaged",
        "put them back",
        "delete trips-index-p1-rows-changelog",
        "cellmesh index create");
    assertHalted("row r, partition 5: damaged");
    assertThat(state("p1")).isDirectory();
    states.settle("p2", at -> footing);
  }

  @Test
  void aHaltedPassGoesOnWhenWhatItDependsOnHasChanged() throws Exception {
    var before = footing;
    for (var changed :
        List.of(
            new Footing(List.of("d2"), before.changelog(), before.next()),
            new Footing(before.definitions(), Optional.empty(), before.next()),
            new Footing(before.definitions(), before.changelog(), Map.of(LOG_5, 8L)))) {
      open();
      footing = before;
      halt();
      keep("p1");
      footing = changed;
      states.settle("p1", at -> footing);
      assertThat(state("p1")).as("it may be of what there was before").doesNotExist();
    }
  }

  @Test
  void offsetsThatMoveOnBeforeTheDamageIsFoundAgainAreNoReasonToRestoreAgain() throws Exception {
    states.tell("p1", ROW);
    states.settle("p1", at -> footing);
    footing = new Footing(footing.definitions(), footing.changelog(), Map.of(LOG_5, 9L));
    states.tell("p1", ROW);
    assertHalted("its state");
  }

  @Test
  void filesThatAreDamagedAgainSoonHaltItToo() throws Exception {
    states.tell("p1", FILES);
    states.settle("p1", at -> footing);
    assertThat(state("p1")).doesNotExist();
    states.tell("p1", FILES);
    assertHalted("trips-index-p1 is damaged, again within 10 minutes", "--state-dir");
  }

  @Test
  void damageIsFoundAmongTheCausesOfAFailure() {
    assertThat(
            StateDamage.in(new StreamsException("in process", new DamagedStateException("r", 3))))
        .contains(new StateDamage("r", OptionalInt.of(3), false));
    assertThat(StateDamage.in(opening(Status.Code.Corruption, "Bad table magic number")))
        .hasValueSatisfying(found -> assertThat(found.onDisk()).isTrue());
    assertThat(StateDamage.in(opening(Status.Code.IOError, "No such file or directory: 1.sst")))
        .isPresent();
    assertThat(StateDamage.in(opening(Status.Code.IOError, "No space left on device"))).isEmpty();
    assertThat(StateDamage.in(new StreamsException("RecordTooLarge"))).isEmpty();
  }

  private static Exception opening(Status.Code code, String message) {
    var status = new Status(code, Status.SubCode.None, message);
    return new ProcessorStateException(
        "Error opening store", new RocksDBException(message, status));
  }

  private void halt() throws Exception {
    states.tell("p1", ROW);
    states.settle("p1", at -> footing);
    states.tell("p1", ROW);
    assertHalted("its state");
  }

  private void assertHalted(String... words) {
    assertThatThrownBy(() -> states.settle("p1", at -> footing))
        .isInstanceOf(HaltedException.class)
        .satisfies(halt -> assertThat(halt.getMessage()).contains(List.of(words)));
  }

  private Path state(String pass) {
    return dir.resolve("trips-index-" + pass);
  }

  private void keep(String pass) throws IOException {
    Files.createDirectories(state(pass).resolve("0_5/rocksdb/rows"));
  }
}
