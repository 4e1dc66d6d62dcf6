package io.cellmesh.devstack;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The network before a server of this machine: all its connections pass here, and what they carry
 * can be held back in one direction, delayed and throttled, or have a long way to go. What was held
 * arrives afterwards, in its order, as from a network that sends again.
 */
public final class NetworkPath implements AutoCloseable {
  /** Those of this JVM, by the port that clients know. */
  private static final Map<Integer, NetworkPath> PATHS = new ConcurrentHashMap<>();

  private static final int CHUNK = 16 * 1024;
  private static final int BACKLOG = 200;

  private final ServerSocket listening;
  private final int target;
  private final boolean far;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Set<Direction> held = EnumSet.noneOf(Direction.class);
  private Duration delay = Duration.ZERO;
  private int bytesPerSecond;
  private volatile Duration way = Duration.ZERO;

  private NetworkPath(int port, int target, boolean far) {
    try {
      this.listening = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("port " + port, e);
    }
    this.target = target;
    this.far = far;
  }

  /** Which way bytes go. */
  public enum Direction {
    TO_SERVER,
    FROM_SERVER
  }

  /**
   * Begins to pass connections on, unless that has been begun in this JVM.
   *
   * @param port that clients know
   * @param target where the server listens
   */
  static void open(int port, int target) {
    PATHS.computeIfAbsent(port, p -> new NetworkPath(p, target, false).accepting());
  }

  /**
   * Begins to pass connections on from a port of its own.
   *
   * @param target where the server listens
   */
  public static NetworkPath to(int target) {
    return new NetworkPath(0, target, false).accepting();
  }

  /**
   * The same, to a server whose distance {@link #lengthen} sets; at first there is none.
   *
   * @param target where the server listens, or will
   */
  public static NetworkPath toFar(int target) {
    return new NetworkPath(0, target, true).accepting();
  }

  private NetworkPath accepting() {
    daemon(this::accept);
    return this;
  }

  /** Where clients reach it. */
  public int port() {
    return listening.getLocalPort();
  }

  /** The one before a port; empty if clients reach the server there without any. */
  public static Optional<NetworkPath> before(int port) {
    return Optional.ofNullable(PATHS.get(port));
  }

  /** Closes all of this JVM; their servers are about to end, too. */
  public static void closeAll() {
    List.copyOf(PATHS.values()).forEach(NetworkPath::close);
  }

  /** Lets nothing through in a direction, until {@link #free}. New connections are still taken. */
  public synchronized void hold(Direction direction) {
    held.add(direction);
  }

  /**
   * Makes it slow in both directions, until {@link #free}.
   *
   * @param each how long each piece of up to 16 KiB takes at least
   * @param rate of each connection and direction, in bytes a second
   */
  public synchronized void slow(Duration each, int rate) {
    delay = each;
    bytesPerSecond = rate;
  }

  /**
   * Sets the distance of the server: whatever sets out from now on arrives so much later, either
   * way, and nothing waits for what is under way before it.
   *
   * @param oneWay half of a round trip
   * @throws IllegalStateException if the path is no {@link #toFar}
   */
  public void lengthen(Duration oneWay) {
    if (!far) {
      throw new IllegalStateException("the server behind port " + port() + " is near");
    }
    way = oneWay;
  }

  /** Lets all through as fast as it comes. */
  public synchronized void free() {
    held.clear();
    delay = Duration.ZERO;
    bytesPerSecond = 0;
    notifyAll();
  }

  /** Ends every connection on both sides with a reset, as a router that forgot them does. */
  public void reset() {
    for (var socket : sockets) {
      try {
        socket.setSoLinger(true, 0);
      } catch (IOException e) {
        // It was closed meanwhile.
      }
      end(socket);
    }
  }

  /** Ends all connections and takes no more. */
  @Override
  public void close() {
    PATHS.remove(port(), this);
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    free();
    sockets.forEach(this::end);
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        connect(listening.accept());
      } catch (IOException e) {
        // It is being closed.
      }
    }
  }

  /** A client of a server that does not listen sees its connection end. */
  private void connect(Socket client) {
    sockets.add(client);
    try {
      var server = new Socket(InetAddress.getLoopbackAddress(), target);
      sockets.add(server);
      server.setTcpNoDelay(true);
      client.setTcpNoDelay(true);
      daemon(() -> pump(client, server, Direction.TO_SERVER));
      daemon(() -> pump(server, client, Direction.FROM_SERVER));
    } catch (IOException e) {
      end(client);
    }
  }

  private void pump(Socket from, Socket to, Direction direction) {
    try (var out = out(to)) {
      pass(from.getInputStream(), out, direction);
    } catch (IOException e) {
      // One side has ended it.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end(from);
      end(to);
    }
  }

  private OutputStream out(Socket to) throws IOException {
    return far ? new DelayLine(to.getOutputStream(), () -> way) : to.getOutputStream();
  }

  private void pass(InputStream from, OutputStream to, Direction direction)
      throws IOException, InterruptedException {
    var chunk = new byte[CHUNK];
    for (int count = from.read(chunk); count >= 0; count = from.read(chunk)) {
      long millis = awaitLeave(direction, count);
      if (millis > 0) {
        Thread.sleep(millis);
      }
      to.write(chunk, 0, count);
    }
    // Nor does the end of it arrive.
    awaitLeave(direction, 0);
  }

  /** Waits while nothing is let through; returns for how many milliseconds a piece is delayed. */
  private synchronized long awaitLeave(Direction direction, int bytes) throws InterruptedException {
    while (held.contains(direction)) {
      wait();
    }
    return bytesPerSecond == 0 ? 0 : delay.toMillis() + 1_000L * bytes / bytesPerSecond;
  }

  private void end(Socket socket) {
    sockets.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void daemon(Runnable work) {
    var thread = new Thread(work, "network-path");
    thread.setDaemon(true);
    thread.start();
  }
}
