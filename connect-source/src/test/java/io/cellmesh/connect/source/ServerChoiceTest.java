package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.connect.source.ServerChoice.Decision;
import io.cellmesh.connect.source.ServerChoice.Read;
import io.cellmesh.connect.source.ServerChoice.Stop;
import io.cellmesh.connect.source.ServerChoice.Wait;
import io.cellmesh.connect.source.ServerState.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServerChoiceTest {
  private static final String UUID = "3e11fa47-71ca-11e1-9e33-c80aa9429562:";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration NONE = Duration.ZERO;
  private static final Server MASTER = new Server("db1", 3306, "rack1");
  private static final Server FIRST = new Server("db2", 3306, "rack2");
  private static final Server SECOND = new Server("db3", 3306, "rack3");
  private static final Server THIRD = new Server("db4", 3306, "rack4");

  private final ServerChoice choice = new ServerChoice("c1", false, Optional.of(PATIENCE));
  private final ServerChoice ofMaster = new ServerChoice("c1", true, Optional.of(PATIENCE));

  @Test
  void the_first_minion_that_goes_on_from_there_is_read() {
    assertThat(decide(master(1, 99), minion(FIRST, 1, 90), minion(SECOND, 1, 90)))
        .isEqualTo(new Read(FIRST, false, "minion db2:3306"));
    assertThat(decide(master(1, 99), down(FIRST, false), minion(SECOND, 1, 90)))
        .isEqualTo(new Read(SECOND, false, "minion db3:3306"));
    assertThat(decide(master(1, 99), minion(FIRST, 1, 70), minion(SECOND, 1, 80)))
        .isEqualTo(new Read(SECOND, false, "minion db3:3306"));
    assertThat(decide(master(1, 99), minion(FIRST, 85, 90), minion(SECOND, 80, 80)))
        .isEqualTo(new Read(SECOND, false, "minion db3:3306"));
  }

  @Test
  void the_master_is_read_only_after_a_while_without_a_minion() {
    var states = List.of(master(1, 99), down(FIRST, false));

    assertThat(decide(states, NONE)).isInstanceOf(Wait.class);
    assertThat(decide(states, PATIENCE))
        .isInstanceOfSatisfying(
            Read.class,
            read -> {
              assertThat(read.server()).isEqualTo(MASTER);
              assertThat(read.second()).isTrue();
              assertThat(read.note()).contains("minion db2:3306 does not answer", "taken back");
            });
    assertThat(
            new ServerChoice("c1", false, Optional.empty())
                .decide(states, passed(), Duration.ofDays(1)))
        .isInstanceOf(Wait.class);
  }

  @Test
  void the_master_is_read_at_once_where_waiting_is_in_vain() {
    assertThat(decide(master(1, 99))).isInstanceOf(Read.class);
    assertThat(decide(master(1, 99), minion(FIRST, 85, 90)))
        .isInstanceOfSatisfying(
            Read.class,
            read -> assertThat(read.note()).contains("db2:3306 has purged 3e11fa47…:81-84"));
  }

  @Test
  void a_promoted_minion_is_read_like_a_master() {
    var promoted = answered(FIRST, false, new Answer(false, false, true, gtids(90), gtids(0)));

    assertThat(decide(master(1, 80), promoted, minion(SECOND, 1, 90)))
        .isEqualTo(new Read(SECOND, false, "minion db3:3306"));
    assertThat(decide(down(MASTER, true), promoted))
        .isInstanceOfSatisfying(Read.class, read -> assertThat(read.second()).isTrue());
  }

  @Test
  void a_master_is_not_read_while_its_only_minion_is_being_promoted() {
    var leaving = answered(FIRST, false, new Answer(false, false, false, gtids(90), gtids(0)));

    assertThat(decide(List.of(master(1, 99), leaving), NONE))
        .as("it has transactions that the next master lacks")
        .isInstanceOf(Wait.class);
    assertThat(decide(List.of(master(1, 99), leaving), PATIENCE))
        .as("nobody has promoted it after all")
        .isInstanceOfSatisfying(Read.class, read -> assertThat(read.server()).isEqualTo(MASTER));
  }

  @Test
  void an_old_master_that_wakes_is_not_read_beside_the_promoted_one() {
    var promoted = answered(FIRST, false, new Answer(false, false, true, gtids(90), gtids(0)));

    assertThat(decide(master(1, 99), promoted))
        .isInstanceOfSatisfying(Read.class, read -> assertThat(read.server()).isEqualTo(FIRST));
    assertThat(ofMaster.decide(List.of(master(1, 99), promoted), passed(), NONE))
        .isInstanceOfSatisfying(Read.class, read -> assertThat(read.server()).isEqualTo(FIRST));
    assertThat(decide(master(1, 75), promoted))
        .as("that it lacks what the log has shown is no news")
        .isInstanceOf(Read.class);
  }

  @Test
  void a_master_that_lacks_what_the_log_has_shown_stops_it_with_the_way_out() {
    assertThat(decide(master(1, 75), down(FIRST, false)))
        .isInstanceOfSatisfying(
            Stop.class,
            stop ->
                assertThat(stop.message())
                    .contains("master db1:3306 lacks", UUID + "76-80")
                    .contains("cellmesh log rebuild --cluster c1"));
    assertThat(ofMaster.decide(List.of(master(1, 75)), passed(), NONE)).isInstanceOf(Stop.class);
  }

  /** So long a master waits for the acknowledgement of what a minion shows already. */
  @Test
  void what_a_master_lacks_is_not_lost_before_semi_sync_has_given_up_waiting() {
    assertThat(decide(master(1, 75), down(FIRST, false)))
        .isInstanceOfSatisfying(
            Stop.class, stop -> assertThat(stop.lasting()).isGreaterThan(Duration.ofSeconds(10)));
  }

  @Test
  void tagged_gtids_stop_it_before_the_binlog_reader_meets_them_and_with_the_way_out() {
    var executed = GtidSet.parse(UUID + "1-99:nightly:1-7");
    var minion = answered(FIRST, false, new Answer(true, true, false, executed, gtids(0)));

    assertThat(decide(master(1, 99), minion))
        .isInstanceOfSatisfying(
            Stop.class,
            stop ->
                assertThat(stop.message())
                    .contains("minion db2:3306", "3e11fa47…:nightly:1-7", "GTID_NEXT")
                    .contains("`cellmesh log rebuild --cluster c1`"));
  }

  @Test
  void an_old_master_that_follows_a_new_one_is_only_behind() {
    var old = answered(MASTER, true, new Answer(true, true, false, gtids(75), gtids(0)));

    assertThat(decide(old, down(FIRST, false))).isInstanceOf(Wait.class);
  }

  @Test
  void what_the_old_master_lacks_may_be_of_a_new_one_that_does_not_answer() {
    var promoted = answered(FIRST, false, new Answer(false, false, true, gtids(80), gtids(0)));
    var gone = down(FIRST, false).after(Optional.of(promoted));

    assertThat(decide(master(1, 75), gone)).isInstanceOf(Wait.class);
    assertThat(decide(master(1, 75), down(FIRST, false).after(Optional.of(gone))))
        .as("still")
        .isInstanceOf(Wait.class);
    assertThat(decide(master(1, 75), down(FIRST, false).after(Optional.of(minion(FIRST, 1, 80)))))
        .as("a minion wrote nothing")
        .isInstanceOf(Stop.class);
    assertThat(decide(master(1, 75), minion(FIRST, 1, 75).after(Optional.of(gone))))
        .as("it is back, and a minion")
        .isInstanceOf(Stop.class);
  }

  /** It comes back read-only, as every server does, until its promotion goes on. */
  @Test
  void what_the_old_master_lacks_is_not_lost_while_a_new_one_has_it_that_takes_no_writes_yet() {
    var back = answered(FIRST, false, new Answer(false, false, false, gtids(80), gtids(0)));
    assertThat(decide(master(1, 75), back)).isNotInstanceOf(Stop.class);

    var older = answered(FIRST, false, new Answer(false, false, false, gtids(75), gtids(0)));
    assertThat(decide(master(1, 75), older)).isInstanceOf(Stop.class);
  }

  @Test
  void binlogs_that_nobody_has_any_more_stop_it_with_the_way_out() {
    assertThat(decide(master(90, 99), minion(FIRST, 85, 99)))
        .isInstanceOfSatisfying(
            Stop.class,
            stop ->
                assertThat(stop.message())
                    .contains("master db1:3306 has purged 3e11fa47…:81-89")
                    .contains("minion db2:3306 has purged 3e11fa47…:81-84")
                    .contains("cellmesh log rebuild --cluster c1"));
    assertThat(decide(master(90, 99), down(FIRST, false)))
        .as("the minion may still have them")
        .isInstanceOf(Wait.class);
  }

  @Test
  void a_user_without_rights_stops_it_where_no_other_server_would_do() {
    assertThat(decide(refused(MASTER, true), refused(FIRST, false)))
        .isInstanceOfSatisfying(
            Stop.class, stop -> assertThat(stop.message()).contains("minion db2:3306", "'nobody'"));
    assertThat(decide(master(1, 99), refused(FIRST, false), minion(SECOND, 1, 90)))
        .isInstanceOf(Read.class);
    assertThat(
            new ServerChoice("c1", false, Optional.empty())
                .decide(List.of(master(1, 99), refused(FIRST, false)), passed(), PATIENCE))
        .as("the master is never to be read")
        .isInstanceOf(Stop.class);
  }

  @Test
  void one_server_that_refuses_the_user_stops_nothing_that_another_can_go_on_with() {
    var states = List.of(master(1, 99), refused(FIRST, false));

    assertThat(decide(states, NONE))
        .as("one that is being set up refuses for a moment")
        .isInstanceOf(Wait.class);
    assertThat(decide(states, PATIENCE))
        .isInstanceOfSatisfying(
            Read.class,
            read -> {
              assertThat(read.server()).isEqualTo(MASTER);
              assertThat(read.note()).contains("minion db2:3306 refuses (Access denied");
            });
    assertThat(decide(refused(MASTER, true), down(FIRST, false)))
        .as("the minion comes back")
        .isInstanceOfSatisfying(
            Wait.class, wait -> assertThat(wait.reason()).contains("db1:3306 refuses"));
    assertThat(
            ofMaster.decide(List.of(refused(MASTER, true), minion(FIRST, 1, 90)), passed(), NONE))
        .isInstanceOfSatisfying(Read.class, read -> assertThat(read.server()).isEqualTo(FIRST));
  }

  @Test
  void who_asks_for_the_master_gets_a_minion_while_it_is_away() {
    assertThat(ofMaster.decide(List.of(master(1, 99), minion(FIRST, 1, 90)), passed(), NONE))
        .isEqualTo(new Read(MASTER, false, "master db1:3306"));
    assertThat(ofMaster.decide(List.of(down(MASTER, true), minion(FIRST, 1, 90)), passed(), NONE))
        .isInstanceOfSatisfying(Read.class, read -> assertThat(read.server()).isEqualTo(FIRST));
  }

  @Test
  void a_better_server_is_preferred_once_it_has_what_was_shown() {
    assertThat(prefersAnother(MASTER, master(1, 99), minion(FIRST, 1, 80))).isTrue();
    assertThat(prefersAnother(MASTER, master(1, 99), minion(FIRST, 1, 79))).isFalse();
    assertThat(prefersAnother(FIRST, master(1, 99), minion(FIRST, 1, 70), minion(SECOND, 1, 99)))
        .isFalse();
  }

  /** The log would stand still with it. */
  @Test
  void a_minion_whose_replication_has_stopped_is_left_for_one_that_has_what_was_shown() {
    var stopped = stopped(FIRST, 90);

    assertThat(decide(master(1, 99), stopped, minion(SECOND, 1, 90)))
        .isEqualTo(new Read(SECOND, false, "minion db3:3306"));
    assertThat(prefersAnother(FIRST, master(1, 99), stopped, minion(SECOND, 1, 80))).isTrue();
    assertThat(prefersAnother(FIRST, master(1, 99), stopped, minion(SECOND, 1, 79))).isFalse();
    assertThat(prefersAnother(SECOND, master(1, 99), stopped, minion(SECOND, 1, 90))).isFalse();
  }

  @Test
  void a_minion_whose_replication_has_stopped_is_read_where_no_other_one_gets_anything() {
    assertThat(decide(List.of(master(1, 99), stopped(FIRST, 90)), PATIENCE))
        .as("the master's last transactions may be taken back")
        .isEqualTo(new Read(FIRST, false, "minion db2:3306"));
    assertThat(decide(down(MASTER, true), stopped(FIRST, 90), stopped(SECOND, 95)))
        .isEqualTo(new Read(FIRST, false, "minion db2:3306"));
    assertThat(prefersAnother(FIRST, down(MASTER, true), stopped(FIRST, 90), stopped(SECOND, 95)))
        .isFalse();
    assertThat(prefersAnother(MASTER, master(1, 99), stopped(FIRST, 90))).isTrue();
  }

  /** A minion that it did not reach may get from the old master what the new one lacks. */
  @Test
  void replication_that_stands_still_for_a_promotion_is_no_reason_to_move() {
    for (boolean writable : new boolean[] {false, true}) {
      var next = answered(FIRST, false, new Answer(false, false, writable, gtids(90), gtids(0)));
      var states = List.of(down(MASTER, true), next, stopped(SECOND, 90), minion(THIRD, 1, 95));

      assertThat(choice.prefersAnother(SECOND, states, gtids(80))).isFalse();
      assertThat(decide(states, NONE)).isEqualTo(new Read(SECOND, false, "minion db3:3306"));
    }
  }

  private boolean prefersAnother(Server current, ServerState... states) {
    return choice.prefersAnother(current, List.of(states), gtids(80));
  }

  private Decision decide(ServerState... states) {
    return decide(List.of(states), NONE);
  }

  private Decision decide(List<ServerState> states, Duration away) {
    return choice.decide(states, passed(), away);
  }

  private static Optional<GtidSet> passed() {
    return Optional.of(gtids(80));
  }

  private static ServerState master(int first, int last) {
    return answered(MASTER, true, new Answer(false, false, true, gtids(last), gtids(first - 1)));
  }

  private static ServerState minion(Server server, int first, int last) {
    return answered(server, false, new Answer(true, true, false, gtids(last), gtids(first - 1)));
  }

  private static ServerState stopped(Server server, int last) {
    return answered(server, false, new Answer(true, false, false, gtids(last), gtids(0)));
  }

  private static ServerState down(Server server, boolean master) {
    return ServerState.silent(server, master, 0, "Connection refused", false);
  }

  private static ServerState refused(Server server, boolean master) {
    return ServerState.silent(server, master, 0, "Access denied for user 'nobody'", true);
  }

  private static ServerState answered(Server server, boolean master, Answer answer) {
    return ServerState.answered(server, master, 0, answer);
  }

  private static GtidSet gtids(int last) {
    return GtidSet.parse(last == 0 ? "" : UUID + "1-" + last);
  }
}
