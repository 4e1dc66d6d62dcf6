package io.cellmesh.e2e.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A place in the network between a client and a server that can be made to fail. */
final class TcpProxy implements AutoCloseable {
  private final ServerSocket listening;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  private TcpProxy(ServerSocket listening, int target) {
    this.listening = listening;
    this.target = target;
  }

  /** In front of a port of this machine. */
  static TcpProxy before(int port) throws IOException {
    var proxy = new TcpProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
    daemon(proxy::accept);
    return proxy;
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Ends every connection on both sides with a reset, as a router that forgot them does. */
  void reset() {
    for (var socket : sockets) {
      try {
        socket.setSoLinger(true, 0);
      } catch (IOException e) {
        // It was closed meanwhile.
      }
      close(socket);
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    reset();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        var client = listening.accept();
        sockets.add(client);
        var server = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(server);
        server.setTcpNoDelay(true);
        client.setTcpNoDelay(true);
        daemon(() -> pump(client, server));
        daemon(() -> pump(server, client));
      } catch (IOException e) {
        // Nobody listens behind it, or it is being closed; a client sees its connection end.
        reset();
      }
    }
  }

  private void pump(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // The other pump sees it as well.
    } finally {
      close(from);
      close(to);
    }
  }

  private void close(Socket socket) {
    sockets.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void daemon(Runnable work) {
    var thread = new Thread(work, "tcp-proxy");
    thread.setDaemon(true);
    thread.start();
  }
}
