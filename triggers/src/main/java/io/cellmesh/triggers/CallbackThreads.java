package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls back: threads that take batches until they are closed. */
final class CallbackThreads {
  private static final Logger LOG = LoggerFactory.getLogger(CallbackThreads.class);

  /** Made before, since there may be no memory when it is needed. */
  private static final Exception UNTOLD =
      new IllegalStateException("what became of the cells could not be told");

  private final SharedDispatcher dispatcher;
  private final Notebook notebook;
  private final Call call;
  private final BatchSize size;
  private final TriggerFigures figures;
  private final List<Thread> threads = new ArrayList<>();

  /** Hands cells to the user's code, which says by an exception what failed. */
  interface Call {
    void of(Batch batch) throws Exception;
  }

  CallbackThreads(
      String name,
      int count,
      SharedDispatcher dispatcher,
      Notebook notebook,
      Call call,
      BatchSize size,
      TriggerFigures figures) {
    this.dispatcher = dispatcher;
    this.notebook = notebook;
    this.call = call;
    this.size = size;
    this.figures = figures;
    for (int i = 1; i <= count; i++) {
      var thread = new Thread(this::run, "trigger-" + name + "-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  /** Interrupts callbacks that still run, and waits a moment for them all together. */
  void end() throws InterruptedException {
    threads.forEach(Thread::interrupt);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    for (var thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
    }
  }

  private void run() {
    while (!dispatcher.isClosed()) {
      try {
        for (var batch = dispatcher.take(); batch != null; batch = dispatcher.take()) {
          dispatcher.end(batch, failureOf(batch));
          // A callback may have left it set, which is none of the next one's business.
          Thread.interrupted();
        }
      } catch (InterruptedException e) {
        LOG.debug("Interrupted", e);
      } catch (RuntimeException | Error e) {
        // Who reads hears of it as well, and takes the partitions over anew.
        goOnAfter(e);
      }
    }
  }

  private static void goOnAfter(Throwable failure) {
    try {
      LOG.error("A callback's thread goes on after", failure);
    } catch (Error e) {
      // The machine has no room to say it either; the thread has to go on.
    }
  }

  /** What a batch failed with; whatever happens, as one that does not end keeps its shard. */
  private Exception failureOf(Batch batch) {
    try {
      return call(batch);
    } catch (RuntimeException | Error e) {
      goOnAfter(e);
      return UNTOLD;
    }
  }

  private Exception call(Batch batch) {
    long begun = System.nanoTime();
    try {
      notebook.write(batch);
      call.of(batch);
      figures.countCalled(batch.cells.size(), 0);
      return null;
    } catch (InterruptedException e) {
      figures.countCalled(batch.cells.size(), batch.cells.size());
      return e;
    } catch (Exception e) {
      figures.countCalled(batch.cells.size(), failed(batch, e));
      return e;
    } catch (Error e) {
      figures.countCalled(batch.cells.size(), batch.cells.size());
      return failure(e);
    } finally {
      size.took(System.nanoTime() - begun, batch.cells.size());
    }
  }

  /** A cell that asks for too much memory is a cell that fails; the thread has to go on. */
  static Exception failure(Error error) {
    return new IllegalStateException(Reason.of(error).text(), error);
  }

  private static int failed(Batch batch, Exception failure) {
    return failure instanceof BatchFailedException partly
        ? partly.failures().size()
        : batch.cells.size();
  }

  /**
   * One after the other; what stands behind one that failed, in its shard or row, is not called.
   */
  static Call each(CellCallback callback, Function<Delivery, TriggeredCell> cells) {
    return batch -> {
      if (batch.cells.size() == 1) {
        callback.call(cells.apply(batch.cells.get(0)));
        return;
      }
      Map<TriggeredCell, Exception> failures = new HashMap<>();
      var failedLanes = new HashSet<Lane>();
      for (var delivery : batch.cells) {
        if (!failedLanes.contains(delivery.lane)) {
          var cell = cells.apply(delivery);
          try {
            callback.call(cell);
          } catch (InterruptedException e) {
            throw e;
          } catch (Exception e) {
            failures.put(cell, e);
            failedLanes.add(delivery.lane);
          } catch (Error e) {
            failures.put(cell, failure(e));
            failedLanes.add(delivery.lane);
          }
        }
      }
      if (!failures.isEmpty()) {
        throw new BatchFailedException(failures);
      }
    };
  }

  /** All at once. */
  static Call together(BatchCallback callback, Function<Delivery, TriggeredCell> cells) {
    return batch -> {
      var all = new ArrayList<TriggeredCell>(batch.cells.size());
      for (var delivery : batch.cells) {
        all.add(cells.apply(delivery));
      }
      callback.call(all);
    };
  }

  /** Makes what a callback gets. */
  @SuppressWarnings("unchecked")
  static TriggeredCell cell(Delivery delivery) {
    var record = (ConsumerRecord<byte[], byte[]>) delivery.payload;
    return new TriggeredCell(
        new TopicPartition(record.topic(), record.partition()), delivery, record);
  }
}
