package io.cellmesh.stack.chaos;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.stack.Stack;
import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A trigger over all cells of a data centre, {@code cellmesh trigger run}, and what it calls: a
 * receiver that refuses a cell now and then, so that it has to come again.
 */
final class ChaosTrigger implements AutoCloseable {
  /** Of so many calls one is told that there is no room. */
  private static final int REFUSED = 500;

  /** A JVM takes its time where many start at once. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Duration STALL = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofMillis(100);

  private static final List<String> FLAGS =
      List.of("-Xms32m", "-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private final HttpServer receiver;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Awaited cells = new Awaited();
  private final Deliveries deliveries = new Deliveries();
  private final AtomicLong calls = new AtomicLong();
  private JavaApp process;

  private ChaosTrigger(HttpServer receiver) {
    this.receiver = receiver;
  }

  /** Starts both; the log's topics must exist. */
  static ChaosTrigger start(Stack stack, String dc) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var trigger = new ChaosTrigger(HttpServer.create(address, 0));
    trigger.receiver.createContext("/", trigger::receive);
    trigger.receiver.setExecutor(trigger.threads);
    trigger.receiver.start();
    trigger.process = stack.devStack().startApp(trigger.spec(stack, dc));
    return trigger;
  }

  /** The name of its process. */
  static String name(String dc) {
    return dc + "-trigger";
  }

  Awaited cells() {
    return cells;
  }

  /** What it was called with. */
  Deliveries deliveries() {
    return deliveries;
  }

  /**
   * Starts the process again; returns when it calls.
   *
   * @throws IllegalStateException if it does not within two minutes
   */
  void startAgain() throws InterruptedException {
    process.start();
    long before = calls.get();
    if (!Waiting.<InterruptedException>within(PATIENCE, LOOK, () -> calls.get() > before)) {
      throw new IllegalStateException(process + " does not call two minutes after its start");
    }
  }

  /** Waits until it was called with so many cells, or with none for half a minute. */
  void await(long cells) throws InterruptedException {
    Waiting.<Long, InterruptedException>whileItMoves(
        STALL, LOOK, deliveries::cells, (came, moved) -> came >= cells);
  }

  @Override
  public void close() {
    receiver.stop(0);
    threads.shutdownNow();
  }

  private JavaApp.Spec spec(Stack stack, String dc) throws IOException {
    return new JavaApp.Spec(
        name(dc),
        CellmeshHome.application(StateDirectory.home(), "cli"),
        "io.cellmesh.cli.Main",
        List.of(
            "trigger",
            "run",
            "--deployment",
            stack.deployment().source(),
            "--dc",
            dc,
            "--name",
            "chaos",
            "--url",
            "http://127.0.0.1:" + receiver.getAddress().getPort() + "/"),
        Map.of(),
        FLAGS);
  }

  private void receive(HttpExchange call) throws IOException {
    try (call) {
      call.getRequestBody().readAllBytes();
      boolean refused = calls.incrementAndGet() % REFUSED == 0;
      if (!refused) {
        cells.arrived(
            UUID.fromString(call.getRequestHeaders().getFirst("ce-partitionkey")),
            number(call, "ce-refkey"));
        deliveries.add((int) number(call, "ce-shard"), number(call, "ce-addedid"));
      }
      call.sendResponseHeaders(refused ? 503 : 204, -1);
    }
  }

  private static long number(HttpExchange call, String header) {
    return Long.parseLong(call.getRequestHeaders().getFirst(header));
  }
}
