package io.cellmesh.operations.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.topology.ClusterLock.Session;
import io.cellmesh.operations.topology.ClusterLock.Sessions;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class ClusterLockTest {
  private static final Topology TOPOLOGY =
      TopologyYaml.parse(
          """
          instance: trips
          shards: 4
          partitions: 2
          datacenter: dc1
          clusters:
            - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://a"}, minions: [{url: "mysql://b"}]}
            - {name: c2, shards: 2-3, epoch: 1, master: {url: "mysql://c"}, minions: [{url: "mysql://d"}]}
          """);

  private static final Server MASTER = TOPOLOGY.cluster("c1").master();
  private static final Server MINION = TOPOLOGY.cluster("c1").minions().get(0);
  private static final Server OTHER = TOPOLOGY.cluster("c2").master();

  private final Servers servers = new Servers();
  private final ClusterLock promotion = lock("c1");

  @Test
  void of_two_commands_that_change_a_cluster_the_later_is_refused_until_the_first_has_ended() {
    promotion.acquire(MINION);
    var addition = lock("c1");

    assertThatThrownBy(() -> addition.acquire(MASTER))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("another command changes the servers of c1, by what c:3306 says")
        .hasMessageContaining("`KILL 2`");
    lock("c2").acquire(OTHER);

    addition.close();
    promotion.close();
    lock("c1").acquire(MASTER);
  }

  /** Between the two questions of one statement. */
  @Test
  void a_lock_that_is_given_free_while_it_is_asked_for_is_taken() {
    servers.justFreed = 1;
    promotion.acquire(MINION);

    assertThatThrownBy(() -> lock("c1").acquire(MASTER)).hasMessageContaining("`KILL 2`");
  }

  @Test
  void no_session_is_named_where_it_is_not_known_which_one_holds_a_lock() {
    servers.justFreed = 2;

    assertThatThrownBy(() -> promotion.acquire(MINION))
        .isInstanceOf(OperationException.class)
        .hasMessageEndingWith("by what b:3306 says; wait for it");
  }

  @Test
  void a_lock_whose_session_has_ended_is_taken_once_more_and_that_is_said() {
    promotion.acquire(MINION);
    assertThat(promotion.hold()).isTrue();

    servers.endSessions(OTHER);

    assertThat(promotion.hold()).isFalse();
    assertThat(promotion.hold()).isTrue();
    assertThatThrownBy(() -> lock("c1").acquire(MASTER)).isInstanceOf(OperationException.class);
  }

  @Test
  void who_has_lost_the_lock_to_another_command_does_not_go_on() {
    promotion.acquire(MINION);
    servers.endSessions(OTHER);
    lock("c1").acquire(MASTER);

    assertThatThrownBy(promotion::hold)
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("another command changes the servers of c1");
  }

  @Test
  void a_server_that_does_not_answer_keeps_nobody_apart_and_is_asked_once() {
    servers.gone.add(OTHER);
    promotion.acquire(MINION);

    assertThat(promotion.hold()).isTrue();
    assertThat(servers.asked).containsEntry(OTHER, 1);
  }

  /** As those of a rack that is lost: one after another they would cost a promotion minutes. */
  @Test
  void masters_that_do_not_answer_are_waited_for_side_by_side() {
    var three =
        TopologyYaml.parse(
            """
            instance: trips
            shards: 6
            partitions: 2
            datacenter: dc1
            clusters:
              - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://a"}, minions: []}
              - {name: c2, shards: 2-3, epoch: 1, master: {url: "mysql://c"}, minions: []}
              - {name: c3, shards: 4-5, epoch: 1, master: {url: "mysql://e"}, minions: []}
            """);
    var own = three.cluster("c1").master();
    var others = new CyclicBarrier(2);
    var hanging =
        new Sessions() {
          @Override
          public Session open(Server server) throws SQLException {
            if (!server.equals(own)) {
              meet(others);
            }
            throw new SQLNonTransientConnectionException("it does not answer");
          }

          @Override
          public void close() {
            // There is none.
          }
        };

    new ClusterLock(hanging, three, three.cluster("c1")).acquire(own);

    assertThat(others.isBroken()).isFalse();
  }

  private static void meet(CyclicBarrier barrier) throws SQLException {
    try {
      barrier.await(5, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new SQLException("nobody else is asked meanwhile", e);
    }
  }

  @Test
  void the_lock_outlasts_a_catch_up_of_hours() {
    assertThat(ClusterLock.OPTIONS.idle()).isGreaterThan(Duration.ofHours(12));
  }

  private ClusterLock lock(String cluster) {
    return new ClusterLock(servers, TOPOLOGY, TOPOLOGY.cluster(cluster));
  }

  /** Servers that know who holds which lock, as MySQL does. */
  private static final class Servers implements Sessions {
    private final Set<Server> gone = new HashSet<>();
    private final Map<Server, Integer> asked = new HashMap<>();
    private final Map<Server, Map<String, Long>> holders = new HashMap<>();
    private final Set<Long> ended = new HashSet<>();
    private long sessions;
    private int justFreed;

    @Override
    public Session open(Server server) throws SQLException {
      asked.merge(server, 1, Integer::sum);
      if (gone.contains(server)) {
        throw new SQLNonTransientConnectionException("gone");
      }
      return session(++sessions, holders.computeIfAbsent(server, s -> new HashMap<>()));
    }

    private Session session(long id, Map<String, Long> locks) {
      return new Session() {
        @Override
        public OptionalLong take(String lock) throws SQLException {
          if (ended.contains(id)) {
            throw new SQLNonTransientConnectionException("the session was ended");
          }
          if (justFreed > 0) {
            justFreed--;
            return OptionalLong.of(NOBODY);
          }
          long holder = locks.computeIfAbsent(lock, l -> id);
          return holder == id ? OptionalLong.empty() : OptionalLong.of(holder);
        }

        @Override
        public void close() {
          locks.values().removeIf(holder -> holder == id);
        }
      };
    }

    void endSessions(Server server) {
      ended.addAll(holders.get(server).values());
      holders.get(server).clear();
    }

    @Override
    public void close() {
      // Each session ends by itself.
    }
  }
}
