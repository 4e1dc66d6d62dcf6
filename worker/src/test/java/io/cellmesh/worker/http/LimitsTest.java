package io.cellmesh.worker.http;

import static io.cellmesh.worker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.worker.security.Limits;
import io.cellmesh.worker.security.Protection;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker that takes little. */
class LimitsTest {
  private static final String ROW = "/v1/trips/cells/0b5e2a64-6f3c-4f0e-9a53-6f1f3a0f6f01";
  private static final int CONNECTIONS = 3;
  private static final int IDLE = 400;
  private static final Duration SHORT = Duration.ofMillis(500);

  /** Longer than a machine that is busy otherwise can pause. */
  private static final Duration LONG = Duration.ofSeconds(30);

  private final FakeInstance instance = new FakeInstance();
  private WorkerServer server;
  private Http http;

  @BeforeEach
  void start() {
    start(LONG, LONG, LONG);
  }

  private void restart(Duration idle, Duration body) {
    restart(idle, body, LONG);
  }

  private void restart(Duration idle, Duration body, Duration answer) {
    server.close();
    start(idle, body, answer);
  }

  private void start(Duration idle, Duration body, Duration answer) {
    var limits = new Limits(CONNECTIONS, idle, body, answer);
    server =
        WorkerServer.start(
            new InetSocketAddress("127.0.0.1", 0),
            new Protection(Optional.empty(), Optional.empty(), false, limits),
            Map.of("trips", instance),
            new QueuedThreadPool(20),
            System::nanoTime);
    http = new Http(server.port());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Socket connected(String request) throws IOException {
    var socket = new Socket("127.0.0.1", server.port());
    socket.setSoTimeout((int) LONG.toMillis());
    socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
    return socket;
  }

  private static String answer(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static String put(int length) {
    return "PUT %s/BASE/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
        .formatted(ROW, length);
  }

  @Test
  void a_position_of_each_of_a_thousand_partitions_is_taken_and_no_header_without_end() {
    var positions =
        IntStream.range(0, 1_000)
            .mapToObj(i -> "dc1:%s:%d:%d".formatted(FakeInstance.TOPIC, i % 2, 1_000_000_000L + i))
            .collect(Collectors.joining(","));
    assertThat(positions).hasSizeGreaterThan(20_000);
    assertThat(http.get(ROW + "?not-before=" + positions).statusCode()).isEqualTo(404);
    assertThat(instance.terms.get(0).notBefore()).hasSize(2);

    assertThat(http.get(ROW + "?not-before=" + "x".repeat(70_000)).statusCode()).isEqualTo(414);
    assertThat(http.get(ROW, "X-Much", "x".repeat(70_000)).statusCode()).isEqualTo(431);
  }

  @Test
  void a_body_that_stops_or_trickles_is_408_and_holds_nobody_up_for_longer() throws Exception {
    restart(LONG, SHORT);
    try (var silent = connected(put(10) + "1")) {
      assertThat(answer(silent)).startsWith("HTTP/1.1 408 ");
    }
    try (var trickling = connected(put(1_000))) {
      var answer = CompletableFuture.supplyAsync(() -> uncheckedAnswer(trickling));
      long end = System.nanoTime() + LONG.toNanos();
      while (!answer.isDone()) {
        assertThat(System.nanoTime()).as("it is held up").isLessThan(end);
        trickle(trickling);
        Thread.sleep(50);
      }
      assertThat(answer.get()).startsWith("HTTP/1.1 408 ");
    }
  }

  private static void trickle(Socket socket) {
    try {
      socket.getOutputStream().write('1');
    } catch (IOException e) {
      // The worker takes no more, and has said why.
    }
  }

  private static String uncheckedAnswer(Socket socket) {
    try {
      var line = new byte[13];
      socket.getInputStream().readNBytes(line, 0, line.length);
      return new String(line, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_body_whose_length_nobody_tells_beforehand_has_the_same_bound() {
    var chunked = BodyPublishers.fromPublisher(BodyPublishers.ofString(" ".repeat(9 << 20)));

    assertThat(http.send("POST", "/v1/trips/cells:put", chunked).statusCode()).isEqualTo(413);
  }

  @Test
  void who_still_sends_a_body_that_is_too_large_gets_to_read_the_answer() throws Exception {
    int half = 6 << 20;
    try (var socket = connected(put(2 * half) + " ".repeat(half))) {
      Thread.sleep(200);
      socket.getOutputStream().write(" ".repeat(half).getBytes(StandardCharsets.UTF_8));
      assertThat(uncheckedAnswer(socket)).startsWith("HTTP/1.1 413 ");
    }
    try (var socket = connected(put(1 << 30) + " ".repeat(100))) {
      assertThat(uncheckedAnswer(socket)).as("one without end").startsWith("HTTP/1.1 413 ");
    }
    restart(LONG, SHORT);
    try (var socket = connected(put(2 * half) + " ".repeat(100))) {
      assertThat(uncheckedAnswer(socket)).as("one that stops").startsWith("HTTP/1.1 413 ");
    }
  }

  @Test
  void what_is_nested_deep_is_refused_in_a_batch_as_in_a_cell() {
    var deep = "[".repeat(2_000) + "]".repeat(2_000);
    assertThat(http.put(ROW + "/BASE/1", deep).statusCode()).isEqualTo(400);
    assertThat(
            http.post(
                    "/v1/trips/cells:put",
                    "{\"cells\":[{\"row_key\":\"0b5e2a64-6f3c-4f0e-9a53-6f1f3a0f6f01\",\"column_name\":\"B\",\"ref_key\":1,\"body\":%s}]}"
                        .formatted(deep))
                .statusCode())
        .isEqualTo(400);
  }

  @Test
  void headers_that_stop_end_their_connection() throws IOException {
    restart(SHORT, LONG);
    try (var socket = connected("GET /readyz HTTP/1.1\r\nHost: loc")) {
      assertThat(answer(socket)).doesNotContain(" 200 ");
    }
  }

  @Test
  void a_call_that_waits_by_right_outlives_the_time_that_a_connection_may_idle() throws Exception {
    restart(SHORT, LONG, SHORT);
    instance.held = new CompletableFuture<>();
    var waiting = http.putLater(ROW + "/BASE/1", "1");
    Thread.sleep(2_000);
    instance.held.complete(null);

    assertThat(waiting.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
  }

  @Test
  void who_reads_nothing_of_his_answer_is_waited_for_no_longer_than_the_limit() throws Exception {
    restart(Duration.ofMinutes(5), LONG, SHORT);
    var keys = new ArrayList<String>();
    for (int i = 0; i < 20; i++) {
      var key = "00000000-0000-0000-0000-%012d".formatted(i);
      // More than the kernel takes of an answer that nobody reads.
      instance.put(key, "\"%s\"".formatted("x".repeat(900_000)));
      keys.add("{\"row_key\":\"%s\"}".formatted(key));
    }
    var body = "{\"keys\":[%s]}".formatted(String.join(",", keys));
    var request =
        "POST /v1/trips/cells:get HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(body.length(), body);
    try (var socket = connected(request)) {
      assertThat(socket.getInputStream().read()).isEqualTo('H');

      await().until(() -> http.get("/metrics").body().contains("in_flight 1"));
    }
  }

  @Test
  void who_has_read_his_answer_may_idle_on() throws Exception {
    restart(LONG, LONG, SHORT);
    var request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n";
    try (var socket = connected(request + "\r\n")) {
      Thread.sleep(1_500);
      var last = request + "Connection: close\r\n\r\n";
      socket.getOutputStream().write(last.getBytes(StandardCharsets.UTF_8));

      assertThat(answer(socket).split("HTTP/1.1 200 ", -1)).as("answers").hasSize(3);
    }
  }

  @Test
  void more_connections_than_are_served_at_once_wait_for_those_to_end() throws Exception {
    var request = "GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (var one = connected(request);
        var two = connected(request);
        var three = connected(request)) {
      for (var socket : new Socket[] {one, two, three}) {
        assertThat(socket.getInputStream().read()).isEqualTo('H');
      }
      try (var fourth = connected(request)) {
        fourth.setSoTimeout(300);
        try {
          assertThat(fourth.getInputStream().read()).as("it was served").isEqualTo(-2);
        } catch (SocketTimeoutException e) {
          one.shutdownOutput();
        }
        fourth.setSoTimeout((int) LONG.toMillis());
        assertThat(fourth.getInputStream().read()).isEqualTo('H');
      }
    }
  }

  @Test
  void connections_that_idle_between_calls_take_little_memory() throws Exception {
    server.close();
    server =
        WorkerServer.start(
            new InetSocketAddress("127.0.0.1", 0),
            Map.of("trips", instance),
            new QueuedThreadPool(20),
            System::nanoTime);
    var open = new ArrayList<Socket>();
    try {
      callOverAll(open, 1);
      long before = heap();
      callOverAll(open, IDLE);
      // What is kept for calls that come again is there from the second one on.
      callOverAll(open, IDLE);

      assertThat(heap() - before).isLessThan(IDLE * 16L << 10);
    } finally {
      for (var socket : open) {
        socket.close();
      }
    }
  }

  private void callOverAll(List<Socket> open, int count) throws IOException {
    while (open.size() < count) {
      open.add(new Socket("127.0.0.1", server.port()));
    }
    for (var socket : open) {
      socket.setSoTimeout(10_000);
      var request = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      var answer = new StringBuilder();
      while (answer.indexOf("\r\n\r\n") < 0) {
        answer.append((char) socket.getInputStream().read());
      }
      var length = answer.toString().replaceAll("(?is).*content-length: *([0-9]+).*", "$1");
      socket.getInputStream().readNBytes(Integer.parseInt(length));
    }
  }

  private static long heap() {
    var memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }
}
