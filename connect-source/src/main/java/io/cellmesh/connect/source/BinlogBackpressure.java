package io.cellmesh.connect.source;

import com.github.shyiko.mysql.binlog.BinaryLogClient.EventListener;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventHeaderV4;
import java.util.concurrent.TimeUnit;

/**
 * Holds back the thread that reads a binlog while too many bytes wait in Debezium's queue. The
 * queue's own limit in bytes would measure every record anew; the size of an event is in its
 * header.
 */
final class BinlogBackpressure implements EventListener {
  /** How soon a thread that was told to end sees it. */
  private static final long LONGEST_WAIT_MILLIS = 100;

  private final long limit;
  private long bytes;
  private boolean open;

  /**
   * @param limit in bytes; one event more fits
   */
  BinlogBackpressure(long limit) {
    this.limit = limit;
  }

  /** Waits until the queue was emptied, if it holds more than the limit. */
  @Override
  public synchronized void onEvent(Event event) {
    if (event.getHeader() instanceof EventHeaderV4 header) {
      bytes += header.getEventLength();
    }
    while (bytes > limit && !open) {
      try {
        TimeUnit.MILLISECONDS.timedWait(this, LONGEST_WAIT_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** The queue is empty. */
  synchronized void emptied() {
    bytes = 0;
    notifyAll();
  }

  /** Nobody reads the queue any more: holds nothing back. */
  synchronized void open() {
    open = true;
    notifyAll();
  }
}
