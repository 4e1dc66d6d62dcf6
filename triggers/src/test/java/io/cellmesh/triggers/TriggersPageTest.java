package io.cellmesh.triggers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.devstack.shipped.JavaRegion;
import io.cellmesh.devstack.shipped.PagePart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** All Java that docs/triggers.md shows stands here, and does what the page says of it. */
class TriggersPageTest {
  private static final Path PAGE = Path.of("..", "docs", "triggers.md");
  private static final Path SOURCE =
      Path.of("src", "test", "java", "io", "cellmesh", "triggers", "TriggersPageTest.java");

  private enum Answer {
    CHARGED,
    BUSY,
    NO_SUCH_CARD
  }

  private interface Bank {
    Answer charge(UUID trip, Body base) throws IOException;
  }

  private interface Warehouse {
    /** Says what it did not take, and why. */
    Map<TriggeredCell, String> insert(List<TriggeredCell> cells);
  }

  private Bank bank;
  private Warehouse warehouse;

  /** Nobody calls it: that it compiles is what is shown. */
  RunningTrigger start() throws IOException, InterruptedException {
    // docs: start
    var billing =
        Trigger.named("billing")
            .on("BASE")
            .of(Deployment.read(Path.of("cellmesh.yaml")))
            .call(cell -> charge(cell))
            .start();
    // end of start
    return billing;
  }

  // docs: failures
  void charge(TriggeredCell cell) throws Exception {
    switch (bank.charge(cell.row(), cell.record().cell().body())) {
      case CHARGED -> {}
      case BUSY -> throw new RetryLaterException("the bank is busy", Duration.ofSeconds(30));
      case NO_SUCH_CARD -> throw new ParkException("no such card");
    }
  }

  // end of failures

  // docs: batch
  void copy(List<TriggeredCell> cells) throws BatchFailedException {
    var failures = new HashMap<TriggeredCell, Exception>();
    warehouse.insert(cells).forEach((cell, why) -> failures.put(cell, new IOException(why)));
    if (!failures.isEmpty()) {
      throw new BatchFailedException(failures);
    }
  }

  // end of batch

  @Test
  void the_page_shows_the_regions_of_this_file_and_no_other_java() throws IOException {
    var blocks = JavaRegion.blocks(SOURCE);
    for (var block : blocks.entrySet()) {
      var expected = PagePart.expected(PAGE, block.getKey(), "TriggersPageTest", block.getValue());
      assertThat(Files.readString(PAGE)).isEqualTo(expected);
    }
    assertThat(Files.readString(PAGE).split("```java\n", -1)).hasSize(blocks.size() + 1);
  }

  @Test
  void a_callback_fails_by_what_it_throws() throws Exception {
    var cell = cell(1);
    bank = (trip, base) -> Answer.CHARGED;
    assertThatCode(() -> charge(cell)).doesNotThrowAnyException();
    bank = (trip, base) -> Answer.BUSY;
    assertThatThrownBy(() -> charge(cell))
        .isInstanceOfSatisfying(
            RetryLaterException.class,
            later -> assertThat(later.after()).isEqualTo(Duration.ofSeconds(30)));
    bank = (trip, base) -> Answer.NO_SUCH_CARD;
    assertThatThrownBy(() -> charge(cell)).isInstanceOf(ParkException.class);
  }

  @Test
  void of_a_batch_the_cells_fail_that_are_named() throws Exception {
    var cells = List.of(cell(1), cell(2), cell(3));
    warehouse = all -> Map.of();
    assertThatCode(() -> copy(cells)).doesNotThrowAnyException();
    warehouse = all -> Map.of(all.get(1), "too long");
    assertThatThrownBy(() -> copy(cells))
        .isInstanceOfSatisfying(
            BatchFailedException.class,
            failed -> assertThat(failed.failures()).containsOnlyKeys(cells.get(1)));
  }

  private static TriggeredCell cell(long ref) throws InvalidCellException {
    var key = new CellKey(new UUID(0, ref), "BASE", ref);
    var cell = new Cell(key, Body.ofJson("{\"fare\":7}"), Optional.of(new Origin("dc1", ref)));
    return new TriggeredCell(
        new LogRecord(cell, 3, ref, Instant.EPOCH),
        new TopicPartition("trips.log", 3),
        ref,
        1,
        false);
  }
}
