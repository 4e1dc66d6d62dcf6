package io.cellmesh.triggers.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** A server on the loopback interface that gives one answer and keeps what it was sent. */
final class Receiver implements AutoCloseable {
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private volatile Answer answer = Answer.of(204);

  record Request(String line, Headers headers, String body, InetSocketAddress from) {}

  /** What is answered, once it may be. */
  record Answer(int status, Map<String, String> headers, byte[] body, CountDownLatch gate) {
    static Answer of(int status) {
      return new Answer(status, Map.of(), new byte[0], new CountDownLatch(0));
    }

    Answer body(String text) {
      return new Answer(status, headers, text.getBytes(UTF_8), gate);
    }

    Answer header(String name, String value) {
      return new Answer(status, Map.of(name, value), body, gate);
    }

    Answer after(CountDownLatch other) {
      return new Answer(status, headers, body, other);
    }
  }

  private Receiver(HttpServer server) {
    this.server = server;
    server.createContext("/", this::take);
    server.setExecutor(threads);
    server.start();
  }

  static Receiver http() throws IOException {
    return new Receiver(
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
  }

  static Receiver https(SSLContext context, boolean clientMustProve) throws IOException {
    return https(context, clientMustProve, InetAddress.getLoopbackAddress());
  }

  static Receiver https(SSLContext context, boolean clientMustProve, InetAddress address)
      throws IOException {
    var server = HttpsServer.create(new InetSocketAddress(address, 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(context) {
          @Override
          public void configure(HttpsParameters parameters) {
            var ssl = context.getDefaultSSLParameters();
            ssl.setNeedClientAuth(clientMustProve);
            parameters.setSSLParameters(ssl);
          }
        });
    return new Receiver(server);
  }

  URI url(String path) {
    var scheme = server instanceof HttpsServer ? "https" : "http";
    var address = server.getAddress();
    return URI.create(
        scheme + "://" + address.getAddress().getHostAddress() + ":" + address.getPort() + path);
  }

  void answers(Answer next) {
    answer = next;
  }

  List<Request> requests() {
    return requests;
  }

  Request last() {
    return requests.get(requests.size() - 1);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void take(HttpExchange exchange) throws IOException {
    var given = answer;
    var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    var line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
    requests.add(
        new Request(line, exchange.getRequestHeaders(), body, exchange.getRemoteAddress()));
    try {
      given.gate().await();
    } catch (InterruptedException e) {
      return;
    }
    given.headers().forEach(exchange.getResponseHeaders()::set);
    exchange.sendResponseHeaders(
        given.status(), given.body().length == 0 ? -1 : given.body().length);
    exchange.getResponseBody().write(given.body());
    exchange.close();
  }
}
