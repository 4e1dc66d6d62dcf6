package io.cellmesh.worker.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.operations.buffer.BufferView;
import io.cellmesh.operations.buffer.MissingRecords;
import io.cellmesh.operations.buffer.PrimaryView;
import io.cellmesh.worker.status.Alarm.Level;
import io.cellmesh.worker.status.StatusView.PartView;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlarmsTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "c1 master | a:1 | does not answer: gone | cellmesh promote --cluster c1 --to b:1 --dry-run",
        "c1 master | a:1 | read-only, so its cells wait | cellmesh promote --cluster c1 --to a:1",
        "c1 minion | b:1 | does not answer: gone | cellmesh minion remove --cluster c1 --server b:1",
        "c1 master | a:1 | not known: mysql of dc1 is missing | cellmesh deployment check",
        "kafka | k:1 | does not answer | cellmesh deployment check",
        "connect | http://c:1 | does not answer | cellmesh deployment check",
        "connector | trips-sink | is not there; post it | cellmesh connectors apply",
        "connector | trips-sink | task 0 failed | curl -X POST 'http://c:1/connectors/trips-sink/restart?includeTasks=true&onlyFailed=true'",
        "trigger | billing | does not run | cellmesh trigger status billing",
        "index-streams | pass p | has never run | cellmesh index status",
        "herb-replicator | from dc2 | is halted | cellmesh mesh check",
      })
  void each_part_that_is_down_is_told_with_the_command_that_comes_next(
      String name, String address, String detail, String command) {
    var part = new PartView("dc1", name, address, false, detail, NOW.minusSeconds(9), false);
    var alarm = parts(false, part).get(0);
    assertThat(alarm.level()).isEqualTo(Level.DOWN);
    assertThat(alarm.what()).contains(address);
    assertThat(alarm.since()).contains(NOW.minusSeconds(9));
    assertThat(alarm.commands().get(0)).isEqualTo(command);
  }

  @Test
  void a_minion_whose_master_is_down_is_none_to_take_out() {
    var master =
        new PartView("dc1", "c1 master", "a:1", false, "does not answer: gone", NOW, false);
    var lags = new PartView("dc1", "c1 minion", "b:1", false, "receives nothing", NOW, false);
    var gone = new PartView("dc1", "c1 minion", "c:1", false, "does not answer: gone", NOW, false);
    var other = new PartView("dc1", "c2 minion", "d:1", false, "receives nothing", NOW, false);
    var alarms = parts(false, master, lags, gone, other);

    assertThat(alarms)
        .filteredOn(alarm -> alarm.what().contains("of c1"))
        .flatExtracting(Alarm::commands)
        .noneMatch(command -> command.contains("remove"))
        .anyMatch(command -> command.contains("promote --cluster c1 --to b:1"));
    assertThat(alarms)
        .filteredOn(alarm -> alarm.level() == Level.DOWN)
        .extracting(Alarm::what)
        .hasSize(3)
        .noneMatch(what -> what.contains("b:1"));
  }

  @Test
  void what_is_up_is_no_alarm() {
    assertThat(parts(false, new PartView("dc1", "kafka", "k:1", true, "", NOW, true))).isEmpty();
  }

  @Test
  void of_several_data_centres_the_command_names_the_one() {
    var part = new PartView("dc1", "c1 master", "a:1", false, "does not answer: gone", NOW, false);
    assertThat(parts(true, part).get(0).commands().get(0))
        .isEqualTo("cellmesh promote --cluster c1 --to b:1 --dc dc1 --dry-run");
  }

  @Test
  void a_master_that_is_away_is_told_with_the_cells_that_wait_for_it() {
    var part = new PartView("dc1", "c1 master", "a:1", false, "does not answer: gone", NOW, false);
    var held = new BufferView("dc1", List.of(view("c1", false, 14, 60_000)), List.of());
    var alarms = alarms(false).parts(List.of(part), Map.of(), Optional.of(held)).found();
    assertThat(alarms.get(0).why()).contains("gone").contains("14 cells wait for it");
    assertThat(alarms(false).buffers(held).found()).as("once is enough").isEmpty();
  }

  @Test
  void cells_that_wait_for_a_master_that_is_well_are_told_when_they_wait_for_long() {
    assertThat(waiting(view("c1", true, 3, 9_000))).isEmpty();
    var alarm = waiting(view("c1", true, 3, 60_000)).get(0);
    assertThat(alarm.level()).isEqualTo(Level.WAITS);
    assertThat(alarm.since()).contains(NOW.minusSeconds(60));
    assertThat(alarm.commands()).containsExactly("cellmesh buffer show --primary c1");
  }

  @Test
  void the_worst_comes_first_and_nothing_is_left_out() {
    var gap =
        new PrimaryView(
            "c1",
            "a:1",
            true,
            "a:1",
            1,
            1,
            0,
            List.of(),
            0,
            List.of(new MissingRecords("trips.cells-0", 3, 5)),
            List.of());
    var failed =
        Looked.<String>never().failed("refused", NOW.minusSeconds(4), java.time.Duration.ZERO);
    var found =
        alarms(false)
            .rejected(2)
            .warnings(List.of("expires early"))
            .unknown("the lags", failed)
            .buffers(new BufferView("dc1", List.of(gap), List.of()))
            .missing(List.of("c1: lost"))
            .found();
    assertThat(found)
        .extracting(Alarm::level)
        .containsExactly(Level.DOWN, Level.DOWN, Level.NOTE, Level.NOTE, Level.NOTE);
    assertThat(found)
        .extracting(Alarm::what)
        .anyMatch(what -> what.contains("[3, 5) of trips.cells-0"))
        .anyMatch(what -> what.equals("c1: lost"))
        .anyMatch(what -> what.contains("2 records were rejected"))
        .anyMatch(what -> what.equals("the lags can't be told just now"));
    assertThat(alarms(false).rejected(0).unknown("it", Looked.never()).found()).isEmpty();
  }

  private static List<Alarm> parts(boolean several, PartView... part) {
    return alarms(several)
        .parts(List.of(part), Map.of("c1", List.of("b:1")), Optional.empty())
        .found();
  }

  private static List<Alarm> waiting(PrimaryView view) {
    return alarms(false).buffers(new BufferView("dc1", List.of(view), List.of())).found();
  }

  private static Alarms alarms(boolean several) {
    return new Alarms("dc1", several, Optional.of(URI.create("http://c:1/")), NOW);
  }

  private static PrimaryView view(String primary, boolean up, long cells, long millis) {
    return new PrimaryView(
        primary, "a:1", up, "a:1", cells, millis, 0, List.of(), 0, List.of(), List.of());
  }
}
