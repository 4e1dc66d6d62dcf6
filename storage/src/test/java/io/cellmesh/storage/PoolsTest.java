package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology.Server;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pools whose servers are all gone, or come late. */
class PoolsTest {
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

  /** A process that has just begun makes its first connection slowly. */
  @Test
  void a_first_connection_that_is_neither_there_nor_refused_is_waited_for_once_more()
      throws Exception {
    try (var slow = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var pools = pools(Duration.ofSeconds(1))) {
      // Longer than the pool waits, and shorter than the driver.
      var answers = CompletableFuture.runAsync(() -> refuse(slow, Duration.ofMillis(1_700)));
      assertThatThrownBy(() -> pools.open(server(slow.getLocalPort())))
          .rootCause()
          .as("why it failed in the end")
          .isNotNull();
      answers.join();
    }
  }

  /** Answers the first who comes with MySQL's error 1040, as a server does that is full. */
  private static void refuse(ServerSocket server, Duration late) {
    try (var client = server.accept()) {
      TimeUnit.MILLISECONDS.sleep(late.toMillis());
      var error = new ByteArrayOutputStream();
      error.writeBytes(new byte[] {(byte) 0xff, 0x10, 0x04});
      error.writeBytes("Too many connections".getBytes(StandardCharsets.US_ASCII));
      var answer = client.getOutputStream();
      answer.write(new byte[] {(byte) error.size(), 0, 0, 0});
      error.writeTo(answer);
      answer.flush();
    } catch (IOException e) {
      // Whoever asked has given up, which is a reason as well.
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Pools pools() {
    return pools(Duration.ofMillis(100));
  }

  private static Pools pools(Duration connectTimeout) {
    var others = Duration.ofSeconds(5);
    var options = new MySqlOptions(connectTimeout, others, others, others, 2);
    return new Pools(new Credentials("nobody", "nothing"), options);
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
