package io.cellmesh.operations.trigger;

import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.trigger.Pause;
import io.cellmesh.topics.trigger.Request;
import io.cellmesh.topics.trigger.StateKey;
import io.cellmesh.topics.trigger.StateRecord;
import io.cellmesh.topics.trigger.TriggerName;
import io.cellmesh.topics.trigger.TriggerPartition;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Asks something of a trigger's processes, who do it as soon as they read it. Nobody needs to run
 * for that: what was asked waits in Kafka.
 */
public final class TriggerRequests {
  private static final int BLOCK_MS = 15_000;
  private static final int SEND_MS = 20_000;

  private final TriggerSite site;
  private final TriggerName name;
  private final String by;

  /**
   * @param by who asks
   */
  public TriggerRequests(TriggerSite site, TriggerName name, String by) {
    this.site = site;
    this.name = name;
    this.by = by;
  }

  /**
   * Has it called no more until it is resumed.
   *
   * @return false if it was paused before, which is left as it is
   * @throws OperationException if there is no such trigger
   */
  public boolean pause() throws InterruptedException {
    if (isPausedEverywhere(site.need(name))) {
      return false;
    }
    var pause = new Pause(by, now());
    send(everywhere(StateRecord.of(new StateKey.OfPause(name), pause)));
    return true;
  }

  /**
   * Has it called again.
   *
   * @return false if it was not paused
   * @throws OperationException if there is no such trigger
   */
  public boolean resume() throws InterruptedException {
    if (site.need(name).stream().allMatch(partition -> partition.pause().isEmpty())) {
      return false;
    }
    send(everywhere(StateRecord.removal(new StateKey.OfPause(name))));
    return true;
  }

  /**
   * Has it called again with what is parked of a row.
   *
   * @throws OperationException if nothing is
   */
  public void replay(UUID row) throws InterruptedException {
    requireParked(row);
    ask(site.partitionOf(row), new Request.Replay(by, now(), row));
  }

  /**
   * Has it called again with all that is parked.
   *
   * @return how many rows are; nothing is asked if none
   */
  public long replayAll() throws InterruptedException {
    var partitions = site.need(name);
    var id = UUID.randomUUID().toString();
    var requests = new HashMap<Integer, StateRecord>();
    for (int number = 0; number < partitions.size(); number++) {
      if (!partitions.get(number).parked().isEmpty()) {
        requests.put(number, request(id, new Request.ReplayAll(by, now())));
      }
    }
    send(requests);
    return partitions.stream().mapToLong(partition -> partition.parked().size()).sum();
  }

  /**
   * Has it give up what is parked of a row for good.
   *
   * @throws OperationException if nothing is
   */
  public void discard(UUID row) throws InterruptedException {
    requireParked(row);
    ask(site.partitionOf(row), new Request.Discard(by, now(), row));
  }

  /** Has each of these partitions go on at an offset. */
  void rewind(Map<Integer, Long> offsets) throws InterruptedException {
    var id = UUID.randomUUID().toString();
    var requests = new HashMap<Integer, StateRecord>();
    offsets.forEach(
        (partition, offset) ->
            requests.put(partition, request(id, new Request.Rewind(by, now(), offset))));
    send(requests);
  }

  private void requireParked(UUID row) throws InterruptedException {
    var partition = site.need(name).get(site.partitionOf(row));
    if (!partition.parked().containsKey(row)) {
      throw OperationException.failed(
          "row %s is not parked by trigger %s; `cellmesh trigger parked ls %s` shows the rows that are"
              .formatted(row, name, name));
    }
  }

  private void ask(int partition, Request request) throws InterruptedException {
    send(Map.of(partition, request(UUID.randomUUID().toString(), request)));
  }

  private StateRecord request(String id, Request request) {
    return StateRecord.of(new StateKey.OfRequest(name, id), request);
  }

  private Map<Integer, StateRecord> everywhere(StateRecord record) {
    var records = new HashMap<Integer, StateRecord>();
    IntStream.range(0, site.partitions()).forEach(number -> records.put(number, record));
    return records;
  }

  private static boolean isPausedEverywhere(List<TriggerPartition> partitions) {
    return partitions.stream().allMatch(partition -> partition.pause().isPresent());
  }

  /** Each stands in Kafka when this returns. */
  private void send(Map<Integer, StateRecord> records) throws InterruptedException {
    var topic = site.topics().triggerState();
    try (var producer = producer()) {
      var sent = new ArrayList<Future<?>>();
      records.forEach((number, record) -> sent.add(producer.send(record.in(topic, number))));
      for (var each : sent) {
        each.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthorizationException refusal) {
        throw MissingRightException.of(site.kafka(), "Write", "topic " + topic, refusal);
      }
      throw new KafkaException(topic + ": " + e.getCause().getMessage(), e.getCause());
    }
  }

  private KafkaProducer<byte[], byte[]> producer() {
    var config = site.kafka().client();
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MS);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, BLOCK_MS);
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, SEND_MS);
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
