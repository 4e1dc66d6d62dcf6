package io.cellmesh.connect.sink;

import io.cellmesh.connect.sink.base.AdminClients;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;

/** Asks the brokers for the first offset that a partition still has. */
final class LogStart implements ToLongFunction<TopicPartition>, AutoCloseable {
  private static final int SECONDS = 5;

  private final Map<String, Object> client;
  private Admin admin;

  /**
   * @param client settings of a Kafka client
   */
  LogStart(Map<String, Object> client) {
    this.client = client;
  }

  /**
   * @throws RetriableException if no broker answers within {@value #SECONDS} seconds, or none can
   *     be asked
   */
  @Override
  public synchronized long applyAsLong(TopicPartition at) {
    if (admin == null) {
      admin = AdminClients.create(client);
    }
    try {
      return admin
          .listOffsets(Map.of(at, OffsetSpec.earliest()))
          .partitionResult(at)
          .get(SECONDS, TimeUnit.SECONDS)
          .offset();
    } catch (ExecutionException | TimeoutException e) {
      throw new RetriableException("the first offset of " + at + " can't be asked for", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectException("stopped while asking for the first offset of " + at, e);
    }
  }

  @Override
  public synchronized void close() {
    if (admin != null) {
      admin.close(Duration.ofSeconds(1));
    }
  }
}
