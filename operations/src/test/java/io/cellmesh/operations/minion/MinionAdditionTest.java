package io.cellmesh.operations.minion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.topology.ServerAnswer;
import io.cellmesh.storage.replication.ServerRole;
import io.cellmesh.storage.replication.ServerRole.Following;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MinionAdditionTest {
  private static final Server MASTER = new Server("db1", 3306, "rack1");
  private static final Server MINION = new Server("db2", 3306, "rack2");
  private static final Server NEW = new Server("db3", 3306, "rack3");
  private static final StorageCluster CLUSTER =
      new StorageCluster("c1", ShardSet.parse("0-1"), 1, MASTER, List.of(MINION));
  private static final String LINEAGE = "3e11fa47-71ca-11e1-9e33-c80aa9429562:";
  private static final GtidSet ALL = GtidSet.parse(LINEAGE + "1-100");
  private static final String DENIED =
      "error connecting to source 'replication@db1:3306'. Message: Access denied for user";

  @Test
  void one_that_its_master_does_not_let_in_does_not_follow_and_mysql_says_why() {
    var knocking = following(true, false, DENIED);

    assertThat(knocking.works()).isFalse();
    assertThatCode(() -> require(knocking, false))
        .as("it tries again every second")
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> require(knocking, true))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("db2:3306 does not follow db1:3306: " + DENIED);
  }

  @Test
  void one_that_has_given_up_is_not_waited_for() {
    assertThatThrownBy(() -> require(following(false, false, ""), false))
        .hasMessageContaining("db2:3306 does not follow db1:3306: it receives nothing");
  }

  @Test
  void one_that_receives_and_applies_follows() {
    var follows = following(true, true, "");

    assertThat(follows.works()).isTrue();
    assertThatCode(() -> require(follows, false)).doesNotThrowAnyException();
  }

  @Test
  void a_clone_is_of_a_minion_that_could_follow_the_master_itself_or_of_the_master() {
    assertThat(donor(minion(works(), "1-90"))).isEqualTo(MINION);
    assertThat(donor(minion(works(), "1-101"))).as("it has more than the master").isEqualTo(MASTER);
    assertThat(donor(minion(following(true, false, "has purged required binary logs"), "1-90")))
        .as("nor would its clone be let in")
        .isEqualTo(MASTER);
    assertThat(donor(ServerAnswer.silent("gone"))).isEqualTo(MASTER);
    assertThat(MinionAddition.donor(CLUSTER, MINION, Map.of(MINION, minion(works(), "1-90")), ALL))
        .as("itself")
        .isEqualTo(MASTER);
  }

  private static Server donor(ServerAnswer minion) {
    return MinionAddition.donor(CLUSTER, NEW, Map.of(MINION, minion), ALL);
  }

  private static ServerAnswer minion(Following following, String executed) {
    return ServerAnswer.of(
        new ServerRole(
            "4e11fa47-71ca-11e1-9e33-c80aa9429562",
            GtidSet.parse(LINEAGE + executed),
            true,
            true,
            Optional.of(following)));
  }

  private static Following works() {
    return following(true, true, "");
  }

  private static void require(Following following, boolean stuck) {
    MinionAddition.requireFollowing(MINION, MASTER, following, stuck);
  }

  private static Following following(boolean receives, boolean connected, String refusal) {
    return new Following(
        MASTER.host(), MASTER.port(), receives, connected, true, GtidSet.EMPTY, refusal, "");
  }
}
