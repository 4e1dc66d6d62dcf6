package io.cellmesh.bench;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * One connection that is kept alive, with as little of a client as makes a measurement of the
 * server. It knows answers with a Content-Length alone. For one thread.
 */
final class HttpConnection implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 30_000;
  private static final String LENGTH = "content-length:";

  private final Socket socket;
  private final InputStream in;
  private final StringBuilder line = new StringBuilder();

  HttpConnection(int port) throws IOException {
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  /** An answer. */
  record Answer(int status, byte[] body) {}

  Answer get(String path) throws IOException {
    return call("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  }

  Answer put(String path, String body) throws IOException {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    return call(
        "PUT %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(path, length, body));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private Answer call(String request) throws IOException {
    socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
    var first = line();
    int length = -1;
    for (var header = line(); !header.isEmpty(); header = line()) {
      if (header.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
        length = Integer.parseInt(header.substring(LENGTH.length()).strip());
      }
    }
    if (length < 0) {
      throw new IOException("an answer without a length: " + first);
    }
    var body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("the answer was cut off");
    }
    return new Answer(Integer.parseInt(first.split(" ", 3)[1]), body);
  }

  private String line() throws IOException {
    line.setLength(0);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the worker closed the connection");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
