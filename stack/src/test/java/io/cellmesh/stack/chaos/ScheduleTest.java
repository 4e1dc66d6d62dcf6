package io.cellmesh.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.stack.chaos.Schedule.Planned;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);

  @Test
  void the_seed_says_which_faults_come_in_which_order() {
    assertThat(first(200, 7, ALL)).isEqualTo(first(200, 7, ALL));
    assertThat(first(200, 7, ALL)).isNotEqualTo(first(200, 8, ALL));
  }

  @Test
  void every_kind_has_its_turn_before_one_comes_again_too_often() {
    int round = ALL.stream().mapToInt(FaultKind::weight).sum();
    assertThat(first(round, 1, ALL)).extracting(Planned::kind).containsAll(ALL);
  }

  @Test
  void only_kinds_that_are_wanted_come_and_last_as_long_as_they_may() {
    var wanted = EnumSet.of(FaultKind.CUT, FaultKind.MASTER_STOP);
    assertThat(first(100, 3, wanted))
        .allSatisfy(
            planned -> {
              assertThat(planned.kind()).isIn(wanted);
              assertThat(planned.hold())
                  .isBetween(planned.kind().shortest(), planned.kind().longest());
            });
  }

  @Test
  void each_data_centre_is_taken_in_each_way_before_one_is_taken_so_again() {
    var kinds = EnumSet.of(FaultKind.DC_KILL, FaultKind.DC_STOP, FaultKind.DC_CUT);

    assertThat(first(9, 5, kinds))
        .extracting(planned -> planned.kind().label() + planned.victim() % 3)
        .doesNotHaveDuplicates();
  }

  @Test
  void a_kind_that_is_wanted_twice_comes_twice_as_often() {
    var kinds = List.of(FaultKind.HERB_KILL, FaultKind.DC_CUT, FaultKind.HERB_KILL);

    assertThat(first(300, 5, kinds))
        .filteredOn(planned -> planned.kind() == FaultKind.HERB_KILL)
        .hasSize(200);
  }

  private static List<Planned> first(int count, long seed, Collection<FaultKind> kinds) {
    var schedule = new Schedule(seed, kinds);
    return Stream.generate(schedule::next).limit(count).toList();
  }
}
