package io.cellmesh.herb;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A way between two ends that breaks: bytes go through in their order, until as many have come back
 * as it is told, wherever that is within a batch.
 */
final class CuttingProxy implements AutoCloseable {
  private final ServerSocket listening;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicLong left = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong cuts = new AtomicLong();
  private final Queue<Planned> plan = new ConcurrentLinkedQueue<>();

  /** How a connection breaks. */
  enum Break {
    /** Both ends are told at once. */
    RESET,
    /** Nothing more comes back, and that is said; the other direction is open. */
    HALF_CLOSED,
    /** Nothing more comes back, and nobody is told. */
    STALLED
  }

  private record Planned(Break how, AtomicLong left) {}

  CuttingProxy(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    new Thread(this::accept, "proxy").start();
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Resets whatever connection has brought as many bytes back from now on, once. */
  void cutAfter(long bytes) {
    left.set(bytes);
  }

  /**
   * Has each of the next connections break in one of these ways, after a random number of bytes.
   */
  void breakNext(Random random, int atMost, Break... ways) {
    for (var way : ways) {
      plan.add(new Planned(way, new AtomicLong(1 + random.nextInt(atMost))));
    }
  }

  long cuts() {
    return cuts.get();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    sockets.forEach(CuttingProxy::reset);
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        var near = listening.accept();
        var far = new Socket();
        sockets.add(near);
        sockets.add(far);
        far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
        var planned = Optional.ofNullable(plan.poll());
        new Thread(() -> pass(near, far, false, Optional.empty()), "proxy-there").start();
        new Thread(() -> pass(far, near, true, planned), "proxy-back").start();
      } catch (IOException e) {
        // Closed, or nobody is there.
      }
    }
  }

  private void pass(Socket from, Socket to, boolean back, Optional<Planned> planned) {
    var buffer = new byte[1024];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (back && left.addAndGet(-n) <= 0) {
          left.set(Long.MAX_VALUE);
          cuts.incrementAndGet();
          break;
        }
        if (planned.isPresent() && planned.get().left().addAndGet(-n) <= 0) {
          cuts.incrementAndGet();
          out.write(buffer, 0, (int) (n + planned.get().left().get()));
          if (brokeInPart(planned.get().how(), to)) {
            return;
          }
          break;
        }
        out.write(buffer, 0, n);
      }
    } catch (IOException e) {
      // The other direction has ended.
    }
    reset(from);
    reset(to);
  }

  /** Whether anything of the connection goes on. */
  private static boolean brokeInPart(Break how, Socket to) throws IOException {
    if (how == Break.HALF_CLOSED) {
      to.shutdownOutput();
    }
    return how != Break.RESET;
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // It is closed.
    }
  }
}
