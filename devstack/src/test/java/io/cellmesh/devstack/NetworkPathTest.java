package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.devstack.NetworkPath.Direction;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NetworkPathTest {
  private final int port = Ports.free();
  private ServerSocket server;
  private NetworkPath path;

  @BeforeEach
  void open() throws IOException {
    server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    NetworkPath.open(port, server.getLocalPort());
    path = NetworkPath.before(port).orElseThrow();
  }

  @AfterEach
  void close() throws IOException {
    path.close();
    server.close();
  }

  @Test
  void what_is_held_in_one_direction_arrives_afterwards_and_the_other_goes_on() throws IOException {
    try (var client = client();
        var accepted = server.accept()) {
      path.hold(Direction.FROM_SERVER);
      client.getOutputStream().write(1);
      accepted.setSoTimeout(30_000);
      assertThat(accepted.getInputStream().read()).isEqualTo(1);

      accepted.getOutputStream().write(2);
      client.setSoTimeout(200);
      assertThatThrownBy(() -> client.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);

      path.free();
      client.setSoTimeout(30_000);
      assertThat(client.getInputStream().read()).isEqualTo(2);
    }
  }

  @Test
  void a_slow_network_delays_each_piece() throws IOException {
    try (var client = client();
        var accepted = server.accept()) {
      path.slow(Duration.ofMillis(300), 1_000_000);
      long sent = System.nanoTime();
      client.getOutputStream().write(1);
      accepted.setSoTimeout(30_000);
      assertThat(accepted.getInputStream().read()).isEqualTo(1);

      assertThat(Duration.ofNanos(System.nanoTime() - sent)).isGreaterThan(Duration.ofMillis(299));
    }
  }

  @Test
  void over_a_long_way_pieces_are_under_way_together_and_none_is_lost_at_the_end()
      throws IOException {
    try (var distant = NetworkPath.toFar(server.getLocalPort());
        var client = new Socket(InetAddress.getLoopbackAddress(), distant.port());
        var accepted = server.accept()) {
      distant.lengthen(Duration.ofMillis(200));
      accepted.setSoTimeout(30_000);
      long sent = System.nanoTime();
      for (int i = 0; i < 50; i++) {
        client.getOutputStream().write(i);
        client.getOutputStream().write(new byte[20_000]);
      }
      client.shutdownOutput();

      assertThat(accepted.getInputStream().read()).isZero();
      assertThat(Duration.ofNanos(System.nanoTime() - sent)).isGreaterThan(Duration.ofMillis(199));
      assertThat(accepted.getInputStream().readAllBytes()).hasSize(50 * 20_001 - 1);
      assertThat(Duration.ofNanos(System.nanoTime() - sent))
          .as("one after the other they take 12 s")
          .isLessThan(Duration.ofSeconds(6));
    }
  }

  @Test
  void a_near_server_has_no_distance() {
    assertThatThrownBy(() -> path.lengthen(Duration.ofMillis(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is near");
  }

  @Test
  void a_client_sees_the_end_of_a_connection_to_a_server_that_is_away() throws IOException {
    server.close();
    try (var client = client()) {
      client.setSoTimeout(30_000);

      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }

  private Socket client() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }
}
