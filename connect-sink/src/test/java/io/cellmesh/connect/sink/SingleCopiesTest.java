package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.Position;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SingleCopiesTest {
  private static final int PARTITION = 3;
  private static final int MIB = 1 << 20;

  private final Topology topology = ThreeClusters.TOPOLOGY;
  private final StorageCluster primary = topology.cluster("c1");
  private final Lanes lanes = new Lanes(topology);
  private final Set<String> takeWrites = new HashSet<>();
  private final List<Long> given = new ArrayList<>();
  private final List<CompletableFuture<Set<String>>> gifts = new ArrayList<>();
  private int asked;
  private SingleCopies singles;

  @BeforeEach
  void own() {
    applied(0);
    singles = new SingleCopies(topology, this::takesWrites, this::give, lanes);
  }

  @Test
  void copies_go_to_another_secondary_as_soon_as_one_takes_writes() {
    addOfC2(10, 100);
    takeWrites.add("c2");
    singles.giveOn();
    assertThat(given).as("while only the one that has them takes writes").isEmpty();
    takeWrites.add("c3");
    singles.giveOn();
    singles.giveOn();
    assertThat(given).containsExactly(10L);
  }

  @Test
  void four_are_given_at_a_time_the_oldest_first() {
    takeWrites.add("c3");
    for (long next = 1; next <= 6; next++) {
      addOfC2(next, 100);
    }
    singles.giveOn();
    singles.giveOn();
    assertThat(given).containsExactly(1L, 2L, 3L, 4L);
    gifts.get(1).complete(Set.of("c3"));
    singles.giveOn();
    assertThat(given).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void what_the_primary_has_taken_meanwhile_or_another_task_owns_is_not_given() {
    addOfC2(10, 100);
    addOfC2(20, 100);
    applied(10);
    takeWrites.add("c3");
    singles.giveOn();
    assertThat(given).containsExactly(20L);

    addOfC2(30, 100);
    lanes.forget(Set.of(PARTITION));
    singles.giveOn();
    assertThat(given).containsExactly(20L);
  }

  @Test
  void copies_that_the_primary_takes_while_they_are_given_make_room_for_others() {
    takeWrites.add("c3");
    for (long next = 1; next <= 5; next++) {
      addOfC2(next, 100);
    }
    singles.giveOn();
    applied(1);
    singles.giveOn();
    assertThat(given).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void what_no_secondary_could_take_is_given_again_before_what_came_later() {
    takeWrites.add("c3");
    for (long next = 1; next <= 5; next++) {
      addOfC2(next, 100);
    }
    singles.giveOn();
    takeWrites.clear();
    gifts.get(0).completeExceptionally(new RetriableException("gone"));
    singles.giveOn();
    assertThat(given).containsExactly(1L, 2L, 3L, 4L);
    takeWrites.add("c3");
    singles.giveOn();
    assertThat(given).containsExactly(1L, 2L, 3L, 4L, 1L);
  }

  @Test
  void one_that_was_refused_for_good_stops_the_task() {
    takeWrites.add("c3");
    addOfC2(1, 100);
    singles.giveOn();
    gifts.get(0).completeExceptionally(new ConnectException("no such table"));
    assertThatThrownBy(singles::giveOn).hasStackTraceContaining("no such table");
  }

  @Test
  void copies_of_one_secondary_do_not_keep_those_of_another_waiting() {
    addOfC2(10, 100);
    singles.add(primary, List.of(copy(20)), 100, Set.of("c3"));
    takeWrites.add("c2");
    singles.giveOn();
    assertThat(given).containsExactly(20L);
  }

  @Test
  void beyond_sixteen_mebibytes_the_oldest_are_left_single() {
    for (long next = 1; next <= 5; next++) {
      addOfC2(next, 4 * MIB);
    }
    takeWrites.add("c3");
    singles.giveOn();
    assertThat(given).containsExactly(2L, 3L, 4L, 5L);
    gifts.forEach(gift -> gift.complete(Set.of("c3")));
    singles.giveOn();
    addOfC2(6, 16 * MIB);
    singles.giveOn();
    assertThat(given).as("once they are given they take no room").contains(6L);
  }

  @Test
  void a_turn_costs_the_same_however_many_wait() {
    singles.giveOn();
    assertThat(asked).as("servers looked at while nothing waits").isZero();
    for (long next = 1; next <= 10_000; next++) {
      addOfC2(next, 100);
    }
    singles.giveOn();
    assertThat(asked).as("servers looked at while 10,000 wait").isEqualTo(1);
  }

  private void addOfC2(long next, long size) {
    singles.add(primary, List.of(copy(next)), size, Set.of("c2"));
  }

  private static Copy copy(long next) {
    return new Copy("c1", IngestTopic.CELLS, PARTITION, 0, new Mark(next, 7), List.of());
  }

  private void applied(long next) {
    var lane = lanes.of(primary, PARTITION);
    if (!lane.begun(IngestTopic.CELLS)) {
      lane.begin(IngestTopic.CELLS, 0);
    }
    lane.found(new Position(new Mark(next, 7), Mark.START));
  }

  private boolean takesWrites(StorageCluster secondary) {
    asked++;
    return takeWrites.contains(secondary.name());
  }

  private CompletableFuture<Set<String>> give(
      StorageCluster primary, List<Copy> copies, Set<String> holders) {
    given.add(copies.get(0).next());
    gifts.add(new CompletableFuture<>());
    return gifts.get(gifts.size() - 1);
  }
}
