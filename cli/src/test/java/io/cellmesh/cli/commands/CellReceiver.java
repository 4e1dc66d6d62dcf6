package io.cellmesh.cli.commands;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Takes cells over HTTP and keeps which it has answered with success, in their order. */
final class CellReceiver implements AutoCloseable {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Place> done = new ArrayList<>();
  private final HttpServer server;
  private volatile int status = 200;
  private volatile Duration time = Duration.ZERO;

  /** Where a cell stands in the log. */
  record Place(int shard, long addedId) {}

  CellReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::take);
    server.setExecutor(threads);
    server.start();
  }

  URI url() {
    return URI.create("http://127.0.0.1:%d/cells".formatted(server.getAddress().getPort()));
  }

  void answer(int with) {
    status = with;
  }

  /** How long an answer takes from here on. */
  void takes(Duration each) {
    time = each;
  }

  List<Place> done() {
    synchronized (done) {
      return List.copyOf(done);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      int with = status;
      exchange.getRequestBody().readAllBytes();
      Thread.sleep(time.toMillis());
      if (with == 200) {
        synchronized (done) {
          done.add(
              new Place(
                  Integer.parseInt(exchange.getRequestHeaders().getFirst("ce-shard")),
                  Long.parseLong(exchange.getRequestHeaders().getFirst("ce-addedid"))));
        }
      }
      exchange.sendResponseHeaders(with, -1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
