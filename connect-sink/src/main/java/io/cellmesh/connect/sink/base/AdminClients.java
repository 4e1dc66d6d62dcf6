package io.cellmesh.connect.sink.base;

import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.connect.errors.RetriableException;

/** Makes clients with which a task asks brokers. */
public final class AdminClients {
  private AdminClients() {}

  /**
   * Makes a client, which the caller closes.
   *
   * @param settings of a Kafka client, good ones once
   * @throws RetriableException if none can be made now, as while no broker's name can be resolved:
   *     Kafka's own exception would end the task
   */
  public static Admin create(Map<String, Object> settings) {
    try {
      return Admin.create(settings);
    } catch (KafkaException e) {
      throw new RetriableException("brokers can't be asked now: " + reason(e), e);
    }
  }

  private static String reason(KafkaException e) {
    return e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
  }
}
