package io.cellmesh.worker;

import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/** The threads that take calls and write answers; none of them waits for a server. */
final class HttpThreads {
  private static final int VIRTUAL_SINCE = 21;
  private static final int MOST = 200;

  private HttpThreads() {}

  /** Virtual ones where the JVM has them. */
  static ThreadPool pool() {
    if (Runtime.version().feature() >= VIRTUAL_SINCE) {
      return new VirtualThreadPool();
    }
    var pool = new QueuedThreadPool(MOST);
    pool.setName("http");
    pool.setDaemon(true);
    return pool;
  }
}
