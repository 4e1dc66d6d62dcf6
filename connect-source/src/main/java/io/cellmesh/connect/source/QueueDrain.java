package io.cellmesh.connect.source;

import io.debezium.connector.base.ChangeEventQueue;
import io.debezium.connector.mysql.MySqlConnectorTask;
import io.debezium.pipeline.DataChangeEvent;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * Takes all that waits in the queue of a Debezium task at once, as its own {@code poll} does for a
 * batch. Debezium shows its queue to nobody; a release that names things differently fails every
 * test of the connector.
 */
final class QueueDrain {
  private static final Field QUEUE = field(MySqlConnectorTask.class, "queue");
  private static final Field LOCK = field(ChangeEventQueue.class, "lock");
  private static final Field NOT_FULL = field(ChangeEventQueue.class, "isNotFull");
  private static final Method DRAIN = drainMethod();

  private final ChangeEventQueue<?> queue;
  private final Lock lock;
  private final Condition notFull;

  private QueueDrain(ChangeEventQueue<?> queue, Lock lock, Condition notFull) {
    this.queue = queue;
    this.lock = lock;
    this.notFull = notFull;
  }

  /** Of a task that was started. */
  static QueueDrain of(MySqlConnectorTask task) {
    try {
      var queue = (ChangeEventQueue<?>) QUEUE.get(task);
      return new QueueDrain(queue, (Lock) LOCK.get(queue), (Condition) NOT_FULL.get(queue));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What waits now, up to so many; the writer may go on. */
  List<DataChangeEvent> take(int most) {
    var events = new ArrayList<DataChangeEvent>();
    lock.lock();
    try {
      DRAIN.invoke(queue, events, most);
      notFull.signalAll();
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(e);
    } finally {
      lock.unlock();
    }
    return events;
  }

  private static Field field(Class<?> owner, String name) {
    try {
      return accessible(owner.getDeclaredField(name));
    } catch (NoSuchFieldException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static Method drainMethod() {
    try {
      return accessible(
          ChangeEventQueue.class.getDeclaredMethod("drainRecords", List.class, int.class));
    } catch (NoSuchMethodException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static <T extends AccessibleObject> T accessible(T member) {
    member.setAccessible(true);
    return member;
  }
}
