package io.cellmesh.herb;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A way between two ends that breaks: bytes go through in their order, and each connection is reset
 * once as many have come back as it is told, wherever that is within a batch.
 */
final class CuttingProxy implements AutoCloseable {
  private final ServerSocket listening;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicLong left = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong cuts = new AtomicLong();

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
        new Thread(() -> pass(near, far, false), "proxy-there").start();
        new Thread(() -> pass(far, near, true), "proxy-back").start();
      } catch (IOException e) {
        // Closed, or nobody is there.
      }
    }
  }

  private void pass(Socket from, Socket to, boolean back) {
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
        out.write(buffer, 0, n);
      }
    } catch (IOException e) {
      // The other direction has ended.
    }
    reset(from);
    reset(to);
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
