package io.cellmesh.devstack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * Free ports on loopback.
 *
 * <p>They lie below the range from which systems draw the local ports of outgoing connections.
 * Otherwise, while a killed server is down, a client of another could be given its port, and the
 * server could not come back on it.
 *
 * <p>A port belongs to the JVM that it was given to until that JVM ends, since its server binds it
 * only seconds later and may be down for a while, and JVMs that start stacks side by side would be
 * given the same ones. It is kept by a lock on one byte of a file that every JVM of the user opens;
 * the system lets go of that however the JVM ends.
 */
final class Ports {
  private static final int FIRST = 15_000;
  private static final int LAST = 31_999;
  private static final int TRIES = 1_000;

  private static final Map<Integer, FileLock> GIVEN = new HashMap<>();
  private static final Random RANDOM = new Random();

  /** Never closed: that would let go of every lock that this JVM has on the file. */
  private static FileChannel locks;

  private Ports() {}

  /**
   * A port that nobody listens on, and that neither this JVM nor another of this user that still
   * runs has been given.
   */
  static int free() {
    return free(FIRST, LAST);
  }

  static synchronized int free(int first, int last) {
    for (int i = 0; i < TRIES; i++) {
      int port = first + RANDOM.nextInt(last - first + 1);
      if (!GIVEN.containsKey(port) && bindable(port)) {
        var lock = lock(port);
        if (lock != null) {
          GIVEN.put(port, lock);
          return port;
        }
      }
    }
    throw new DevStackException("no free port between " + first + " and " + last);
  }

  /** The lock that keeps a port for this JVM, or null if another JVM has it. */
  private static FileLock lock(int port) {
    var file =
        Path.of(
            System.getProperty("java.io.tmpdir"),
            "cellmesh-ports-" + System.getProperty("user.name"));
    try {
      if (locks == null) {
        locks = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      }
      return locks.tryLock(port, 1, false);
    } catch (IOException e) {
      throw new DevStackException("cannot keep a port for this JVM in " + file, e);
    }
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
