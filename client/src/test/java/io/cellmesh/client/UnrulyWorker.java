package io.cellmesh.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** An HTTP server that does to each request what a test says, down to the connection. */
final class UnrulyWorker implements AutoCloseable {
  private final ServerSocket server;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final List<Request> probes = new CopyOnWriteArrayList<>();
  private volatile Manner manner;
  private volatile Manner probeManner = request -> answer(200, "{}");

  /** What becomes of a request. */
  interface Manner {
    Deed meet(Request request) throws IOException;
  }

  /** What is done to the connection. */
  interface Deed {
    void to(Socket connection) throws IOException, InterruptedException;
  }

  record Request(String method, String target, Map<String, String> headers, byte[] body) {
    String path() {
      return target.replaceFirst("\\?.*", "");
    }

    /** The values of a parameter, decoded. */
    List<String> parameters(String name) {
      return Arrays.stream(target.replaceFirst("[^?]*\\??", "").split("&"))
          .filter(each -> each.startsWith(name + "="))
          .map(each -> URLDecoder.decode(each.substring(name.length() + 1), UTF_8))
          .toList();
    }

    Optional<String> parameter(String name) {
      return parameters(name).stream().findFirst();
    }

    String text() {
      return new String(body, UTF_8);
    }
  }

  private UnrulyWorker(int port, Manner manner) throws IOException {
    this.server = new ServerSocket(port, 200, InetAddress.getByName("127.0.0.1"));
    this.manner = manner;
    start(this::accept);
  }

  static UnrulyWorker that(Manner manner) throws IOException {
    return new UnrulyWorker(0, manner);
  }

  /** Starts on the port of one that was closed. */
  static UnrulyWorker at(URI url, Manner manner) throws IOException {
    return new UnrulyWorker(url.getPort(), manner);
  }

  /** Answers one deed after the other, and the last one ever after. */
  static Manner inTurn(Deed... deeds) {
    var next = new ConcurrentHashMap<String, Integer>();
    return request -> deeds[Math.min(next.merge("", 1, Integer::sum), deeds.length) - 1];
  }

  static Deed answer(int status, String json, String... headers) {
    var type = status < 400 ? "application/json" : "application/problem+json";
    return raw(status, type, json, headers);
  }

  static Deed raw(int status, String type, String content, String... headers) {
    var bytes = content.getBytes(UTF_8);
    return connection ->
        connection.getOutputStream().write(join(head(status, type, bytes.length, headers), bytes));
  }

  static Deed problem(int status, String detail, String... headers) {
    var json =
        "{\"type\":\"about:blank\",\"title\":\"Title\",\"status\":%d,\"detail\":\"%s\"}"
            .formatted(status, detail);
    return answer(status, json, headers);
  }

  /** Sends the head and half of the content, then ends the connection. */
  static Deed diesWithin(String json, String... headers) {
    var bytes = json.getBytes(UTF_8);
    return connection -> {
      connection
          .getOutputStream()
          .write(
              join(
                  head(200, "application/json", bytes.length, headers),
                  Arrays.copyOf(bytes, bytes.length / 2)));
      connection.close();
    };
  }

  /** Sends the head and half of the content, and then nothing. */
  static Deed stopsWithin(String json) {
    var bytes = json.getBytes(UTF_8);
    return connection -> {
      connection
          .getOutputStream()
          .write(
              join(
                  head(200, "application/json", bytes.length),
                  Arrays.copyOf(bytes, bytes.length / 2)));
      hangs().to(connection);
    };
  }

  /** Resets the connection instead of an answer. */
  static Deed resets() {
    return connection -> {
      connection.setSoLinger(true, 0);
      connection.close();
    };
  }

  /** Ends the connection instead of an answer. */
  static Deed hangsUp() {
    return Socket::close;
  }

  /** Never answers. */
  static Deed hangs() {
    return connection -> {
      while (connection.getInputStream().read() >= 0) {}
      connection.close();
    };
  }

  /** Sends the head at once and then a byte every 20 ms. */
  static Deed drips(String json, String... headers) {
    var bytes = json.getBytes(UTF_8);
    return connection -> {
      var out = connection.getOutputStream();
      out.write(head(200, "application/json", bytes.length, headers));
      for (byte b : bytes) {
        out.write(b);
        out.flush();
        Thread.sleep(20);
      }
    };
  }

  static Deed after(long millis, Deed deed) {
    return connection -> {
      Thread.sleep(millis);
      deed.to(connection);
    };
  }

  void behave(Manner other) {
    manner = other;
  }

  void behaveToProbes(Manner other) {
    probeManner = other;
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  List<Request> requests() {
    return requests;
  }

  List<Request> probes() {
    return probes;
  }

  Request only() {
    if (requests.size() != 1) {
      throw new AssertionError(requests.size() + " requests");
    }
    return requests.get(0);
  }

  /** Connections that the client has not ended. */
  int open() {
    return (int) open.stream().filter(connection -> !connection.isClosed()).count();
  }

  /** Ends every connection and takes no more. */
  @Override
  public void close() throws IOException {
    server.close();
    for (var connection : open) {
      if (!connection.isClosed()) {
        connection.close();
      }
    }
  }

  private void accept() {
    try {
      while (true) {
        var connection = server.accept();
        connection.setTcpNoDelay(true);
        open.add(connection);
        start(() -> serve(connection));
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      while (!connection.isClosed()) {
        var request = read(connection.getInputStream());
        if (request.isEmpty()) {
          return;
        }
        boolean probe = request.get().path().equals(WorkerApi.READY);
        (probe ? probes : requests).add(request.get());
        (probe ? probeManner : manner).meet(request.get()).to(connection);
      }
    } catch (IOException | InterruptedException e) {
      // The client has gone, or the test has.
    }
  }

  private static Optional<Request> read(InputStream in) throws IOException {
    var head = new ByteArrayOutputStream();
    while (!head.toString(UTF_8).endsWith("\r\n\r\n")) {
      int b = in.read();
      if (b < 0) {
        return Optional.empty();
      }
      head.write(b);
    }
    var lines = new ArrayList<>(List.of(head.toString(UTF_8).split("\r\n")));
    var first = lines.remove(0).split(" ");
    var headers =
        lines.stream()
            .map(line -> line.split(": ", 2))
            .collect(
                Collectors.toMap(
                    each -> each[0].toLowerCase(Locale.ROOT),
                    each -> each[1],
                    (one, two) -> two,
                    TreeMap::new));
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    return Optional.of(new Request(first[0], first[1], headers, in.readNBytes(length)));
  }

  private static byte[] head(int status, String type, int length, String... headers) {
    var head = new StringBuilder("HTTP/1.1 %d Said\r\n".formatted(status));
    head.append("Content-Type: %s\r\nContent-Length: %d\r\n".formatted(type, length));
    for (var header : headers) {
      head.append(header).append("\r\n");
    }
    return head.append("\r\n").toString().getBytes(UTF_8);
  }

  private static byte[] join(byte[] one, byte[] two) {
    var both = Arrays.copyOf(one, one.length + two.length);
    System.arraycopy(two, 0, both, one.length, two.length);
    return both;
  }

  private static void start(Runnable task) {
    var thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
  }
}
