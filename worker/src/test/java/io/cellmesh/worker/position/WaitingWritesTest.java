package io.cellmesh.worker.position;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.storage.BufferTable.Covered;
import io.cellmesh.worker.position.Observation.Buffer;
import io.cellmesh.worker.position.Observation.MinionPositions;
import io.cellmesh.worker.position.Observation.Sight;
import io.cellmesh.worker.position.Outcome.Buffered;
import io.cellmesh.worker.position.Outcome.Conflict;
import io.cellmesh.worker.position.Outcome.Late;
import io.cellmesh.worker.position.Outcome.Rejected;
import io.cellmesh.worker.position.Outcome.Replicated;
import io.cellmesh.worker.position.Outcome.Secured;
import io.cellmesh.worker.position.Outcome.Visible;
import io.cellmesh.worker.position.WaitingWrites.Ended;
import java.time.Instant;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class WaitingWritesTest {
  private static final Outage OUTAGE = new Outage("c1", "127.0.0.1:1", Instant.EPOCH);
  private static final Optional<Outage> NONE = Optional.empty();

  private final WaitingWrites waiting = new WaitingWrites(3);
  private final UUID row = UUID.randomUUID();

  @Test
  void a_row_that_is_there_before_the_position_has_passed_is_not_visible_yet() {
    var write = add(write(7, WaitFor.VISIBLE));

    assertThat(master(7, write, "1")).as("the next offset is its own").isEmpty();
    assertThat(master(8, write, "1")).containsExactly(new Ended(write, new Visible()));
    assertThat(waiting.isEmpty()).isTrue();
  }

  @Test
  void a_position_that_has_passed_decides_only_with_the_row_that_was_asked_for() {
    var write = add(write(7, WaitFor.VISIBLE));

    var seen = new Sight(Map.of(0, 8L), Set.of(), Map.of());
    assertThat(waiting.observe(observation(seen, Optional.empty()))).isEmpty();
    assertThat(waiting.question().keys()).containsExactly(write.cell().key());
  }

  @Test
  void an_equal_body_is_the_cell_however_it_is_written() {
    var write = add(write(7, WaitFor.VISIBLE, "{\"a\":1,\"b\":1.0}"));

    assertThat(master(8, write, "{\"b\":1,\"a\":1}"))
        .extracting(Ended::outcome)
        .containsExactly(new Visible());
  }

  @Test
  void a_damaged_row_tells_its_writer_nothing_and_keeps_nobody_else_waiting() {
    var write = add(write(7, WaitFor.VISIBLE, 100));
    var other = add(write(8, WaitFor.VISIBLE));
    var damaged = write.cell().key();
    var whole = other.cell().key();

    var rows = Map.of(damaged, Body.ofStored(new byte[] {0}), whole, body("1"));
    var seen = new Sight(Map.of(0, 9L), rows.keySet(), rows);
    assertThat(waiting.observe(observation(seen, Optional.empty())))
        .containsExactly(new Ended(other, new Visible()));
    assertThat(waiting.expire(100))
        .containsExactly(new Ended(write, new Late(WaitFor.ACCEPTED, NONE)));
  }

  @Test
  void a_row_for_which_memory_is_short_keeps_nobody_else_waiting() {
    var write = add(write(7, WaitFor.REPLICATED, 100));
    var other = add(write(8, WaitFor.VISIBLE));

    var rows = Map.of(write.cell().key(), body("1"), other.cell().key(), body("1"));
    var seen = new Sight(Map.of(0, 9L), rows.keySet(), rows);
    assertThat(waiting.observe(observation(seen, Optional.of(new NoMemory()))))
        .containsExactly(new Ended(other, new Visible()));
    assertThat(waiting.expire(100))
        .containsExactly(new Ended(write, new Late(WaitFor.VISIBLE, NONE)));
  }

  @Test
  void a_key_without_a_row_behind_the_position_was_rejected() {
    var write = add(write(7, WaitFor.VISIBLE));

    assertThat(master(8, write, null)).as("it may be on its way in").isEmpty();
    assertThat(master(8, write, null))
        .extracting(Ended::outcome)
        .containsExactly(new Rejected(Optional.empty()));
  }

  @Test
  void a_row_that_one_look_missed_beside_its_position_is_no_rejection() {
    var write = add(write(7, WaitFor.VISIBLE));

    assertThat(master(8, write, null)).isEmpty();
    assertThat(master(8, write, "1")).extracting(Ended::outcome).containsExactly(new Visible());

    var lost = add(write(8, WaitFor.VISIBLE));
    assertThat(master(9, lost, null)).isEmpty();
    assertThat(master(8, lost, null)).as("a promotion took it back").isEmpty();
    assertThat(master(9, lost, null)).as("once again").isEmpty();
  }

  @Test
  void a_conflict_names_both_digests_and_is_final_once_every_minion_has_passed() {
    var write = add(write(7, WaitFor.VISIBLE));

    assertThat(master(8, write, "2")).as("the minions were not asked").isEmpty();
    assertThat(waiting.question().minions()).isTrue();
    assertThat(master(8, write, "2", 8, 7))
        .extracting(Ended::outcome)
        .containsExactly(new Conflict(body("2").digest(), body("1").digest(), false));

    var again = add(write(9, WaitFor.VISIBLE));
    master(10, again, "2");
    assertThat(master(10, again, "2", 10, 10))
        .extracting(Ended::outcome)
        .containsExactly(new Conflict(body("2").digest(), body("1").digest(), true));
  }

  @Test
  void replicated_waits_for_each_minion_also_for_one_that_does_not_answer() {
    var write = add(write(7, WaitFor.REPLICATED));

    assertThat(waiting.question().minions()).as("nothing to ask them yet").isFalse();
    assertThat(master(8, write, "1")).isEmpty();
    assertThat(waiting.question().minions()).isTrue();
    assertThat(master(8, write, "1", 8, 7)).isEmpty();
    var silent = List.of(new MinionPositions(Map.of(0, 8L)), new MinionPositions(Map.of()));
    assertThat(waiting.observe(observation(sight(8, write, "1"), Optional.of(silent)))).isEmpty();
    assertThat(master(8, write, "1", 8, 8))
        .extracting(Ended::outcome)
        .containsExactly(new Replicated());
  }

  @Test
  void a_cluster_without_minions_gets_no_further_than_visible() {
    var write = add(write(7, WaitFor.REPLICATED));

    master(8, write, "1");
    assertThat(master(8, write, "1", new long[0]))
        .extracting(Ended::outcome)
        .containsExactly(new Visible());
  }

  @Test
  void minions_that_passed_say_nothing_while_the_master_was_not_seen_to() {
    var write = add(write(7, WaitFor.REPLICATED));
    master(8, write, "1");

    var minions = List.of(new MinionPositions(Map.of(0, 9L)));
    var unseen = new Observation(Optional.empty(), Optional.of(minions), Map.of(), List.of(), NONE);
    assertThat(waiting.observe(unseen)).isEmpty();
    assertThat(master(7, write, "1", 9)).as("a promotion took it back").isEmpty();
  }

  @Test
  void buffered_is_told_only_while_the_master_is_away_and_the_sink_has_committed() {
    var write = add(write(7, WaitFor.VISIBLE));

    assertThat(committed(7, Optional.of(OUTAGE))).as("not secured").isEmpty();
    assertThat(committed(8, NONE)).as("the master is there").isEmpty();
    assertThat(committed(8, Optional.of(OUTAGE)))
        .containsExactly(new Ended(write, new Buffered(OUTAGE)));
  }

  @Test
  void a_cell_is_buffered_once_two_servers_hold_copies_whatever_the_sink_has_committed() {
    var write = add(write(7, WaitFor.VISIBLE));

    assertThat(buffered(new Covered(0, 8))).as("one server has it").isEmpty();
    assertThat(buffered(new Covered(0, 8), new Covered(0, 7))).as("it ends before it").isEmpty();
    assertThat(buffered(new Covered(8, 9), new Covered(3, 8))).as("it begins later").isEmpty();
    assertThat(buffered(new Covered(0, 8), new Covered(7, 9)))
        .containsExactly(new Ended(write, new Buffered(OUTAGE)));
  }

  @Test
  void a_question_names_the_lowest_offset_of_each_partition() {
    add(write(9, WaitFor.VISIBLE));
    add(write(7, WaitFor.VISIBLE));
    add(new PendingWrite(cell("1"), 1, 12, WaitFor.VISIBLE, Long.MAX_VALUE));

    assertThat(waiting.question().offsets()).isEqualTo(Map.of(0, 7L, 1, 12L));
  }

  @Test
  void secured_is_the_sinks_word_and_more_is_told_where_more_is_known() {
    var write = add(write(7, WaitFor.SECURED));
    assertThat(waiting.question().secured()).isTrue();
    assertThat(committed(7, NONE)).isEmpty();
    assertThat(committed(8, NONE)).containsExactly(new Ended(write, new Secured()));

    var seen = add(write(8, WaitFor.SECURED));
    assertThat(master(9, seen, "1")).extracting(Ended::outcome).containsExactly(new Visible());
  }

  @Test
  void the_deadline_tells_how_far_it_came_and_what_is_down() {
    var accepted = add(write(7, WaitFor.VISIBLE, 100));
    var later = add(write(8, WaitFor.VISIBLE, 200));

    assertThat(waiting.expire(99)).isEmpty();
    assertThat(waiting.expire(100))
        .containsExactly(new Ended(accepted, new Late(WaitFor.ACCEPTED, NONE)));
    committed(9, NONE);
    waiting.observe(
        new Observation(
            Optional.empty(), Optional.empty(), Map.of(), List.of(), Optional.of(OUTAGE)));
    assertThat(waiting.expire(201))
        .containsExactly(new Ended(later, new Late(WaitFor.SECURED, Optional.of(OUTAGE))));
  }

  @Test
  void a_deadline_is_kept_where_the_clock_runs_over() {
    add(write(7, WaitFor.VISIBLE, Long.MIN_VALUE + 5));

    assertThat(waiting.expire(Long.MAX_VALUE - 5)).isEmpty();
    assertThat(waiting.expire(Long.MIN_VALUE + 6)).hasSize(1);
  }

  @Test
  void rows_are_asked_for_once_their_records_are_seen_to_be_passed() {
    add(write(7, WaitFor.VISIBLE));
    var moving = add(new PendingWrite(cell("1"), 1, 5, WaitFor.VISIBLE, Long.MAX_VALUE));
    assertThat(waiting.question().keys()).isEmpty();

    passed(Map.of(0, 7L, 1, 6L), Set.of());

    assertThat(waiting.question().keys()).containsExactly(moving.cell().key());
    assertThat(waiting.question().partitions()).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void a_row_that_is_asked_for_the_first_time_is_due_at_once_and_then_in_its_turn() {
    var write = add(write(7, WaitFor.REPLICATED));
    assertThat(waiting.isDue()).isFalse();

    passed(Map.of(0, 8L), Set.of());
    assertThat(waiting.isDue()).isTrue();
    passed(Map.of(0, 8L), Set.of(write.cell().key()));
    assertThat(waiting.isDue()).isFalse();

    add(write(6, WaitFor.VISIBLE));
    waiting.observe(
        new Observation(
            Optional.empty(), Optional.empty(), Map.of(), List.of(), Optional.of(OUTAGE)));
    assertThat(waiting.isDue()).as("nobody answers").isFalse();
  }

  @Test
  void more_rows_than_a_question_takes_come_in_turn() {
    // Three fill a question and wait for a minion that is away.
    for (int offset = 0; offset < 3; offset++) {
      add(write(offset, WaitFor.REPLICATED));
    }
    passed(Map.of(0, 9L), Set.of());
    var first = Set.copyOf(waiting.question().keys());
    passed(Map.of(0, 9L), first);
    var late = add(write(8, WaitFor.VISIBLE));

    assertThat(first).hasSize(3);
    assertThat(waiting.question().keys()).hasSize(3).first().isEqualTo(late.cell().key());
  }

  /** Without any rows. */
  private void passed(Map<Integer, Long> next, Set<CellKey> asked) {
    waiting.observe(observation(new Sight(next, asked, Map.of()), Optional.empty()));
  }

  private List<Ended> master(long next, PendingWrite write, String json, long... minions) {
    var all =
        Arrays.stream(minions).mapToObj(minion -> new MinionPositions(Map.of(0, minion))).toList();
    boolean asked = minions.length > 0 || waiting.question().minions();
    return waiting.observe(
        observation(sight(next, write, json), asked ? Optional.of(all) : Optional.empty()));
  }

  private List<Ended> committed(long next, Optional<Outage> outage) {
    return waiting.observe(
        new Observation(Optional.empty(), Optional.empty(), Map.of(0, next), List.of(), outage));
  }

  /** Each on a server of its own. */
  private List<Ended> buffered(Covered... copies) {
    var buffers = Arrays.stream(copies).map(copy -> new Buffer(Map.of(0, List.of(copy)))).toList();
    return waiting.observe(
        new Observation(
            Optional.empty(), Optional.empty(), Map.of(), buffers, Optional.of(OUTAGE)));
  }

  private static Observation observation(Sight sight, Optional<List<MinionPositions>> minions) {
    return new Observation(Optional.of(sight), minions, Map.of(), List.of(), NONE);
  }

  /** Whoever looks into it has no memory left. */
  private static final class NoMemory extends AbstractList<MinionPositions> {
    @Override
    public MinionPositions get(int index) {
      throw new OutOfMemoryError("of a test");
    }

    @Override
    public int size() {
      throw new OutOfMemoryError("of a test");
    }
  }

  private static Sight sight(long next, PendingWrite write, String json) {
    var key = write.cell().key();
    Map<CellKey, Body> rows = json == null ? Map.of() : Map.of(key, body(json));
    return new Sight(Map.of(0, next), Set.of(key), rows);
  }

  private PendingWrite add(PendingWrite write) {
    waiting.add(write);
    return write;
  }

  private PendingWrite write(long offset, WaitFor waitFor) {
    return write(offset, waitFor, "1");
  }

  private PendingWrite write(long offset, WaitFor waitFor, String json) {
    return new PendingWrite(cell(json), 0, offset, waitFor, Long.MAX_VALUE);
  }

  private PendingWrite write(long offset, WaitFor waitFor, long deadline) {
    return new PendingWrite(cell("1"), 0, offset, waitFor, deadline);
  }

  private int ref;

  private Cell cell(String json) {
    return new Cell(new CellKey(row, "BASE", ref++), body(json), Optional.empty());
  }

  static Body body(String json) {
    try {
      return Body.ofJson(json);
    } catch (io.cellmesh.cell.InvalidCellException e) {
      throw new AssertionError(e);
    }
  }
}
