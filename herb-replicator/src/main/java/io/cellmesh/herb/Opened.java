package io.cellmesh.herb;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was opened for something that may yet fail to begin: closed with this one, the last first,
 * unless it was {@link #handedOver}.
 */
final class Opened implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Opened.class);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T one) {
    opened.push(one);
    return one;
  }

  /** Leaves all to whoever closes it from now on. */
  void handedOver() {
    opened.clear();
  }

  @Override
  public void close() {
    for (var one : opened) {
      try {
        one.close();
      } catch (Exception e) {
        LOG.debug("not closed", e);
      }
    }
    opened.clear();
  }
}
