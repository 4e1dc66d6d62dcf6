package io.cellmesh.operations.minion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.replication.ServerRole.Following;
import org.junit.jupiter.api.Test;

class MinionAdditionTest {
  private static final Server MASTER = new Server("db1", 3306, "rack1");
  private static final Server MINION = new Server("db2", 3306, "rack2");
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

  private static void require(Following following, boolean stuck) {
    MinionAddition.requireFollowing(MINION, MASTER, following, stuck);
  }

  private static Following following(boolean receives, boolean connected, String refusal) {
    return new Following(
        MASTER.host(), MASTER.port(), receives, connected, true, GtidSet.EMPTY, refusal, "");
  }
}
