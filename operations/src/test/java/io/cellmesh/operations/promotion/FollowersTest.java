package io.cellmesh.operations.promotion;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.operations.promotion.Followers.Follow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FollowersTest {
  private static final Server MASTER = new Server("db1", 3306, "rack1");
  private static final Server BROKEN = new Server("db2", 3306, "rack2");
  private static final Server SOUND = new Server("db3", 3306, "rack3");
  private static final StorageCluster CLUSTER =
      new StorageCluster("c1", ShardSet.parse("0-1"), 2, MASTER, List.of(BROKEN, SOUND));

  private final List<Server> following = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();

  @Test
  void a_minion_that_can_not_follow_holds_up_no_other_and_not_the_connectors() throws Exception {
    follow(
        minion -> {
          throw new SQLException("db2:3306: it knows no CA");
        });

    assertThat(following).containsExactly(SOUND);
    assertThat(remarks)
        .singleElement()
        .asString()
        .startsWith("db2:3306 does not follow db1:3306: db2:3306: it knows no CA. Mend that")
        .contains("`cellmesh minion remove --cluster c1 --server db2:3306`");
  }

  @Test
  void nor_does_a_master_that_is_too_slow_to_be_asked_what_a_minion_lacks() throws Exception {
    follow(
        minion -> {
          throw OperationException.unavailable("db1:3306 does not answer any more: no time");
        });

    assertThat(following).containsExactly(SOUND);
    assertThat(remarks)
        .singleElement()
        .asString()
        .startsWith("db2:3306 does not follow db1:3306: db1:3306 does not answer any more");
  }

  private void follow(Follow broken) throws Exception {
    var followers = new Followers(CLUSTER, remarks::add);
    OperationListener.silent()
        .run(
            "the other minions follow",
            step ->
                followers.run(
                    step,
                    minion -> {
                      if (minion.equals(BROKEN)) {
                        broken.run(minion);
                      }
                      following.add(minion);
                    }));
  }
}
