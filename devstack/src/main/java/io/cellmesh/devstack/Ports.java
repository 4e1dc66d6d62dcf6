package io.cellmesh.devstack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Free ports on loopback.
 *
 * <p>They lie below the range from which systems draw the local ports of outgoing connections.
 * Otherwise, while a killed server is down, a client of another could be given its port, and the
 * server could not come back on it.
 */
final class Ports {
  private static final int FIRST = 15_000;
  private static final int LAST = 31_999;
  private static final int TRIES = 1_000;

  private static final Set<Integer> GIVEN = new HashSet<>();
  private static final Random RANDOM = new Random();

  private Ports() {}

  /** A port that nobody listens on and that this JVM has not been given before. */
  static synchronized int free() {
    for (int i = 0; i < TRIES; i++) {
      int port = FIRST + RANDOM.nextInt(LAST - FIRST + 1);
      if (!GIVEN.contains(port) && bindable(port)) {
        GIVEN.add(port);
        return port;
      }
    }
    throw new DevStackException("no free port between " + FIRST + " and " + LAST);
  }

  /** Whether somebody listens on the port of 127.0.0.1. */
  static boolean open(int port) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 500);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean bindable(int port) {
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress("127.0.0.1", port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
