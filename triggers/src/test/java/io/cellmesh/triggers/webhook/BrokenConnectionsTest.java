package io.cellmesh.triggers.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A receiver that does not speak HTTP to its end. */
class BrokenConnectionsTest {
  private ServerSocket server;

  private interface Peer {
    void meet(Socket connection) throws IOException, InterruptedException;
  }

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  @Test
  void a_connection_that_is_reset_is_tried_again() {
    each(
        connection -> {
          connection.getInputStream().read();
          connection.setSoLinger(true, 0);
        });
    assertThatTriedAgain(url()).hasMessageStartingWith("POST " + address() + ": ");
  }

  @Test
  void a_connection_that_ends_before_the_answer_does_is_tried_again() {
    each(connection -> answer(connection, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"));
    assertThatTriedAgain(url()).hasMessageStartingWith("POST " + address() + ": ");
  }

  @Test
  void a_connection_that_is_closed_without_an_answer_is_tried_again() {
    each(
        connection -> {
          connection.getInputStream().read();
          connection.shutdownOutput();
          readToEnd(connection);
        });
    assertThatTriedAgain(url())
        .hasMessage("POST " + address() + ": the connection ended before the answer did");
  }

  @Test
  void an_answer_that_is_not_http_is_tried_again() {
    each(connection -> answer(connection, "SSH-2.0-OpenSSH_9.2\r\n\r\n"));
    assertThatTriedAgain(url()).hasMessageStartingWith("POST " + address() + ": ");
  }

  @Test
  void an_answer_that_does_not_end_is_no_answer() {
    var closed = new CompletableFuture<Integer>();
    each(
        connection -> {
          answer(connection, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf");
          closed.complete(readToEnd(connection));
        });
    assertThatTriedAgain(url(), "timeout.ms", "300")
        .hasMessage("POST %s: no answer within 300 ms".formatted(address()));
    assertThat(closed).succeedsWithin(30, TimeUnit.SECONDS);
  }

  /** A firewall may have dropped all of them without a word. */
  @Test
  void after_a_time_out_no_connection_is_used_that_was_open_before() throws Exception {
    var two = new CountDownLatch(2);
    for (int i = 0; i < 8; i++) {
      each(
          connection -> {
            connection.getInputStream().readNBytes(64);
            two.countDown();
            two.await();
            var ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
            connection.getOutputStream().write(ok.getBytes(US_ASCII));
            // What comes next on it gets no answer.
            readToEnd(connection);
          });
    }
    var callback = callback(url(), "timeout.ms", "3000");
    var other = call(callback);
    callback.call(Cells.trip());
    other.get(30, TimeUnit.SECONDS);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 5; i++) {
                callback.call(Cells.trip());
              }
            })
        .hasMessageEndingWith("no answer within 3000 ms");

    callback.call(Cells.trip());
  }

  private static FutureTask<Void> call(WebhookCallback callback) {
    var call =
        new FutureTask<Void>(
            () -> {
              callback.call(Cells.trip());
              return null;
            });
    new Thread(call).start();
    return call;
  }

  @Test
  void an_answer_without_end_is_read_only_so_far() throws Exception {
    var closed = new CompletableFuture<Integer>();
    each(
        connection -> {
          answer(connection, "HTTP/1.1 200 OK\r\n\r\n");
          var page = new byte[4096];
          int sent = 0;
          try {
            while (true) {
              connection.getOutputStream().write(page);
              sent++;
            }
          } catch (IOException e) {
            closed.complete(sent);
          }
        });
    callback(url()).call(Cells.trip());
    assertThat(closed).succeedsWithin(30, TimeUnit.SECONDS);
  }

  @Test
  void nobody_who_listens_is_tried_again() throws IOException {
    server.close();
    assertThatTriedAgain(url()).hasMessage("POST " + address() + ": connection refused");
  }

  @Test
  void a_host_that_is_unknown_is_tried_again() {
    // Longer than a name can be, so that no name server is asked.
    var url = "http://" + "x".repeat(64) + ".invalid/cells";
    assertThatTriedAgain(url + "?key=sesame").hasMessage("POST " + url + ": unknown host");
  }

  @Test
  void an_interruption_gives_the_request_up_and_is_passed_on() throws Exception {
    var asked = new CompletableFuture<Integer>();
    var closed = new CompletableFuture<Integer>();
    each(
        connection -> {
          asked.complete(connection.getInputStream().read());
          closed.complete(readToEnd(connection));
        });
    var callback = callback(url());
    var call =
        new FutureTask<>(
            () -> {
              callback.call(Cells.trip());
              return null;
            });
    var thread = new Thread(call);
    thread.start();
    assertThat(asked).succeedsWithin(30, TimeUnit.SECONDS);
    thread.interrupt();
    assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(InterruptedException.class);
    assertThat(closed).succeedsWithin(30, TimeUnit.SECONDS);
  }

  private void each(Peer peer) {
    var thread =
        new Thread(
            () -> {
              while (!server.isClosed()) {
                try (var connection = server.accept()) {
                  peer.meet(connection);
                } catch (IOException | InterruptedException e) {
                  // That of the other side, or the end of the test.
                  continue;
                }
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  /** Reads the request's head before, so that what is left of it does not reset the connection. */
  private static void answer(Socket connection, String text) throws IOException {
    connection.getInputStream().readNBytes(64);
    connection.getOutputStream().write(text.getBytes(US_ASCII));
  }

  private static int readToEnd(Socket connection) {
    try {
      return connection.getInputStream().readAllBytes().length;
    } catch (IOException e) {
      return -1;
    }
  }

  private String address() {
    return "http://127.0.0.1:%d/cells".formatted(server.getLocalPort());
  }

  private String url() {
    return address() + "?key=sesame";
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertThatTriedAgain(
      String url, String... more) {
    return assertThatThrownBy(() -> callback(url, more).call(Cells.trip()))
        .isExactlyInstanceOf(IOException.class)
        .satisfies(
            failure -> {
              for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                assertThat(cause.toString()).doesNotContain("sesame");
              }
            });
  }

  private static WebhookCallback callback(String url, String... more) {
    var settings = new HashMap<>(Map.of("url", url));
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return new WebhookCallback(WebhookConfig.parse(settings), "trips", "dc1");
  }
}
