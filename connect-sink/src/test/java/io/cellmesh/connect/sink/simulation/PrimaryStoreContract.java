package io.cellmesh.connect.sink.simulation;

import static io.cellmesh.connect.sink.simulation.Stores.START;
import static io.cellmesh.connect.sink.simulation.Stores.cell;
import static io.cellmesh.connect.sink.simulation.Stores.cells;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Origin;
import io.cellmesh.storage.Decision;
import io.cellmesh.storage.EntityTransaction.Result;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.Position;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.errors.RetriableException;
import org.junit.jupiter.api.Test;

/** What primaries do with cells, positions and conflicts. */
interface PrimaryStoreContract extends StoresContract {
  Position FAR = new Position(new Mark(Long.MAX_VALUE, 0), new Mark(Long.MAX_VALUE, 0));

  @Test
  default void a_transaction_takes_the_position_along_and_says_what_it_stored() throws Throwable {
    with(
        s -> {
          assertThat(s.position()).isEqualTo(START);
          assertThat(outcome(s.write(START, cells(2), cell(0, 1, "1"), cell(1, 2, "1"))))
              .isEqualTo("2 stored, 0 duplicates, 0 conflicts");
          assertThat(s.position()).isEqualTo(cells(2));
          assertThat(s.primaries().positions(s.c1(), List.of(0, 1)))
              .isEqualTo(Map.of(0, cells(2), 1, START));
        });
  }

  @Test
  default void a_writer_that_remembers_another_position_changes_nothing_and_is_told()
      throws Throwable {
    with(
        s -> {
          s.write(START, cells(2), cell(0, 1, "1"));
          assertThat(s.write(cells(1), cells(3), cell(2, 3, "1")))
              .isEqualTo(new Result.Moved(Map.of(0, cells(2))));
          assertThat(s.position()).isEqualTo(cells(2));
          assertThat(outcome(s.write(cells(2), cells(3), cell(2, 3, "1")))).startsWith("1 stored");
        });
  }

  @Test
  default void what_is_thrown_before_the_commit_undoes_everything() throws Throwable {
    with(
        s -> {
          assertThatThrownBy(
                  () ->
                      s.write(
                          s.c1(),
                          START,
                          cells(1),
                          () -> {
                            throw new RetriableException("no copy");
                          },
                          cell(0, 1, "1")))
              .isInstanceOf(RetriableException.class);
          assertThat(s.position()).isEqualTo(START);
          assertThat(outcome(s.write(START, cells(1), cell(0, 1, "1")))).startsWith("1 stored");
        });
  }

  @Test
  default void an_equal_cell_is_a_duplicate_and_another_one_a_conflict_that_is_written_down_once()
      throws Throwable {
    with(
        s -> {
          s.write(START, cells(1), cell(0, 1, "1"));
          var again = cell(1, 1, "1");
          var other = cell(2, 1, "2");
          assertThat(outcome(s.write(cells(1), cells(4), again, other, cell(3, 2, "1"))))
              .isEqualTo("1 stored, 1 duplicates, 1 conflicts");
          var untold = s.ledger().untold(s.c1(), Map.of(0, FAR), 10);
          assertThat(untold.stream().map(PrimaryStoreContract::words))
              .containsExactly("0 CELLS 2 1 dc1 dc1");
          assertThat(untold.get(0).kept()).isEqualTo(Body.ofJson("1").digest());
          assertThat(untold.get(0).refused()).isEqualTo(Body.ofJson("2").digest());
          assertThat(untold.get(0).record().orElseThrow().timestamp()).isEqualTo(7);
          // The position was set back by hand, or by a promotion.
          assertThat(outcome(s.write(cells(4), cells(5), other)))
              .isEqualTo("0 stored, 0 duplicates, 1 conflicts");
          assertThat(s.ledger().countUntold(s.c1())).isEqualTo(1);
        });
  }

  @Test
  default void cells_that_meet_in_one_transaction_are_judged_in_their_order() throws Throwable {
    with(
        s -> {
          var first = cell(0, 1, "1");
          assertThat(outcome(s.write(START, cells(3), first, cell(1, 1, "2"), cell(2, 1, "1"))))
              .isEqualTo("1 stored, 1 duplicates, 1 conflicts");
        });
  }

  @Test
  default void the_origin_of_what_met_is_told() throws Throwable {
    with(
        s -> {
          s.write(START, cells(1), cell(0, 1, "1"));
          var foreign = cell(1, 1, "2", Optional.of(new Origin("dc2", 9)));
          s.write(cells(1), cells(2), foreign);
          assertThat(
                  s.ledger().untold(s.c1(), Map.of(0, FAR), 10).stream()
                      .map(PrimaryStoreContract::words))
              .containsExactly("0 CELLS 1 1 dc1 dc2");
        });
  }

  @Test
  default void conflicts_are_found_up_to_a_position_and_told_once() throws Throwable {
    with(
        s -> {
          s.write(START, cells(4), cell(0, 1, "1"), cell(1, 1, "2"), cell(2, 1, "3"));
          var ledger = s.ledger();
          assertThat(ledger.untold(s.c1(), Map.of(0, cells(2)), 10)).hasSize(1);
          assertThat(ledger.untold(s.c1(), Map.of(1, FAR), 10)).isEmpty();
          assertThat(ledger.untold(s.c1(), Map.of(0, FAR), 1)).hasSize(1);
          var places = List.of(new Stores.Places().place(1), new Stores.Places().place(3));
          assertThat(ledger.decided(s.c1().master(), places)).containsExactly(places.get(0));
          ledger.told(s.c1(), places);
          assertThat(ledger.countUntold(s.c1())).isEqualTo(1);
          assertThat(ledger.decided(s.c1().master(), places)).containsExactly(places.get(0));
          assertThat(
                  ledger.untold(s.c1(), Map.of(0, FAR), 10).stream()
                      .map(PrimaryStoreContract::words))
              .containsExactly("0 CELLS 2 1 dc1 dc1");
        });
  }

  @Test
  default void a_server_that_is_far_has_the_transactions_that_it_committed() throws Throwable {
    with(
        s -> {
          var before = s.primaries().reached(s.c1().master(), List.of(0));
          s.write(START, cells(1), cell(0, 1, "1"));
          var after = s.primaries().reached(s.c1().master(), List.of(0));
          assertThat(after.uuid()).isEqualTo(before.uuid());
          assertThat(after.positions()).isEqualTo(Map.of(0, cells(1)));
          assertThat(before.executed().without(after.executed()).isEmpty()).isTrue();
          assertThat(after.executed().without(before.executed()).count()).isEqualTo(1);
        });
  }

  private static String outcome(Result result) {
    var outcome = ((Result.Applied) result).outcome();
    return "%d stored, %d duplicates, %d conflicts"
        .formatted(outcome.stored(), outcome.duplicates(), outcome.conflicts().size());
  }

  private static String words(Decision d) {
    return "%d %s %d %d %s %s"
        .formatted(
            d.place().partition(),
            d.topic(),
            d.place().offset(),
            d.key().refKey(),
            d.keptOrigin(),
            d.refusedOrigin());
  }
}
