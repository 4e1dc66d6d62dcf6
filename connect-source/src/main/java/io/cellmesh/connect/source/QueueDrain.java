package io.cellmesh.connect.source;

import io.debezium.connector.base.ChangeEventQueue;
import io.debezium.connector.mysql.MySqlConnectorTask;
import io.debezium.pipeline.DataChangeEvent;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * Takes all that waits in the queue of a Debezium task at once, as its own {@code poll} does for a
 * batch.
 */
final class QueueDrain {
  private static final Field QUEUE = DebeziumMembers.field(MySqlConnectorTask.class, "queue");
  private static final Field LOCK = DebeziumMembers.field(ChangeEventQueue.class, "lock");
  private static final Field NOT_FULL = DebeziumMembers.field(ChangeEventQueue.class, "isNotFull");
  private static final Method DRAIN =
      DebeziumMembers.method(ChangeEventQueue.class, "drainRecords", List.class, int.class);

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
}
