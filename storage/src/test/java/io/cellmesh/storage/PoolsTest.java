package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology.Server;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The threads of pools, whose servers are all gone. */
class PoolsTest {
  private static final MySqlOptions IMPATIENT =
      new MySqlOptions(
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          2);

  @Test
  void pools_of_many_servers_have_one_thread_at_rest_and_none_once_closed() throws Exception {
    var threads = new ThreadGroup("of many servers");
    try (var pools = pools()) {
      openInVain(threads, pools, 8);
      assertThat(atRest(threads)).containsExactly("cellmesh-pools");
    }
    awaitNone(threads);
  }

  @Test
  void pools_that_are_closed_open_nothing_and_leave_others_their_thread() throws Exception {
    var threads = new ThreadGroup("of one that is closed");
    var thoseOfOthers = new ThreadGroup("of others");
    try (var others = pools()) {
      openInVain(thoseOfOthers, others, 1);
      var pools = pools();
      openInVain(threads, pools, 1);
      pools.close();
      awaitNone(threads);

      assertThatThrownBy(() -> pools.open(server(1)))
          .isInstanceOf(SQLException.class)
          .hasMessage("the pools are closed");
      pools.close();
      openInVain(thoseOfOthers, others, 2);
      assertThat(atRest(thoseOfOthers)).containsExactly("cellmesh-pools");
    }
    awaitNone(thoseOfOthers);
  }

  private static Pools pools() {
    return new Pools(new Credentials("nobody", "nothing"), IMPATIENT);
  }

  /** Asks for a connection to each of some servers, in threads of a group. */
  private static void openInVain(ThreadGroup threads, Pools pools, int servers) throws Exception {
    var asking =
        IntStream.rangeClosed(1, servers)
            .mapToObj(number -> new Thread(threads, () -> openInVain(pools, server(number))))
            .toList();
    asking.forEach(Thread::start);
    for (var thread : asking) {
      thread.join();
    }
  }

  private static void openInVain(Pools pools, Server server) {
    assertThatThrownBy(() -> pools.open(server)).isInstanceOf(SQLException.class);
  }

  /** A port where nobody listens. */
  private static Server server(int port) {
    return new Server("127.0.0.1", port, "rack");
  }

  /** Those that stay: what opens and ends connections goes by itself after five seconds. */
  private static List<String> atRest(ThreadGroup threads) {
    return names(threads).stream().filter(name -> !name.contains("connection")).toList();
  }

  private static void awaitNone(ThreadGroup threads) {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(names(threads)).isEmpty());
  }

  /** Of all threads that a group's threads have started, but for what the driver keeps for good. */
  private static List<String> names(ThreadGroup group) {
    var threads = new Thread[1000];
    group.enumerate(threads);
    return Arrays.stream(threads)
        .filter(Objects::nonNull)
        .map(Thread::getName)
        .filter(name -> name.startsWith("cellmesh"))
        .toList();
  }
}
