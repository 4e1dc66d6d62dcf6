package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.deployment.DataCenter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DataCenterReturnTest {
  private static final CellKey KEY = new CellKey(new UUID(1, 2), "BASE", 1);
  private static final DataCenter DC1 = BareDataCenter.nowhere("dc1");

  private final DataCenterReturn back =
      new DataCenterReturn(new DataCenterLoss("dc2", List.of(DC1)), BareDataCenter.nowhere("dc2"));
  private final DataCenterReturn.Last last = new DataCenterReturn.Last(3, DC1, 812);

  @Test
  void whoever_has_the_same_cell_under_an_id_has_all_before_it() throws Exception {
    assertThat(back.fault(last, true, found(), row("{\"n\":1}"))).isEmpty();
    assertThat(back.fault(last, false, found(), row("{\"n\":1}"))).isEmpty();
  }

  @Test
  void another_cell_under_an_id_that_is_known_was_given_it_a_second_time() throws Exception {
    assertThat(back.fault(last, false, found(), row("{\"n\":2}")))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .startsWith("dc2 has given out ids again: shard 3, origin_id 812")
                    .contains("Restore the backup once more"));
  }

  @Test
  void what_can_not_be_told_is_not_taken_for_granted() throws Exception {
    assertThat(back.fault(last, true, Optional.empty(), row("{\"n\":1}")))
        .hasValueSatisfying(text -> assertThat(text).startsWith("it can't be told"));
  }

  @Test
  void where_later_ones_come_back_the_last_one_that_is_there_may_have_expired_elsewhere()
      throws Exception {
    assertThat(back.fault(last, false, Optional.empty(), row("{\"n\":1}"))).isEmpty();
  }

  @Test
  void what_was_said_of_others_while_it_was_away_has_to_be_said_again() {
    var returned =
        new DataCenterReturn(
            new DataCenterLoss("dc2", List.of(DC1), List.of("dc3")), BareDataCenter.nowhere("dc2"));
    assertThat(returned.missed(Set.of("dc3"))).isEmpty();
    assertThat(returned.missed(Set.of("dc1")))
        .containsExactly(
            "dc3 is given up and was not asked: `cellmesh dc lost dc3 --yes` again brings dc2 what the others have of it",
            "dc2 still has dc1 as given up: `cellmesh dc back dc1` again");
  }

  private static Optional<RangeCells.Found> found() throws InvalidCellException {
    return Optional.of(new RangeCells.Found(KEY, Body.ofJson("{\"n\":1}").digest()));
  }

  private static LogRecord row(String body) throws InvalidCellException {
    var cell = new Cell(KEY, Body.ofJson(body), Optional.of(new Origin("dc2", 812)));
    return new LogRecord(cell, 3, 812, Instant.EPOCH);
  }
}
