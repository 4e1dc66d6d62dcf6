package io.cellmesh.topics.trigger;

import io.cellmesh.cell.Topics;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogOffsets;
import io.cellmesh.topics.TopicOffsets;
import io.cellmesh.topics.TriggerTopicReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Creates and deletes triggers: what all partitions are told of one stands in one transaction. Its
 * transactional id is the trigger's own, so whoever begins later fences whoever began before, and
 * decides by what that one has committed: two never decide by the same state.
 */
public final class TriggerRegistry {
  private static final int ATTEMPTS = 8;
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
  private static final int TRANSACTION_MS = 10_000;
  private static final int SEND_MS = 20_000;
  private static final int BLOCK_MS = 30_000;

  /** A producer that closes waits for ever to abort what it began where Kafka is gone. */
  private static final Duration CLOSING = Duration.ofSeconds(5);

  private final KafkaAccess kafka;
  private final Topology topology;
  private final Topics topics;

  /** Of a data centre's Kafka, whose topics for triggers are there. */
  public TriggerRegistry(KafkaAccess kafka, Topology topology) {
    this.kafka = kafka;
    this.topology = topology;
    this.topics = topology.topics();
  }

  /**
   * A trigger that is there.
   *
   * @param partitions what each was told, by its number
   * @param isNew whether it was not there before
   */
  public record Created(List<Creation> partitions, boolean isNew) {
    public Created {
      partitions = List.copyOf(partitions);
    }
  }

  /**
   * Creates a trigger in all partitions or in none. One that is there with the same definition is
   * left alone. The beginning of a column's own topic is looked for in it and in the log, which
   * takes as long as reading both once.
   *
   * @param whatIsLeft whether the beginning may be the first record that a partition still has
   * @throws TriggerRefusedException if one is there with another definition, or its start is not
   *     possible
   * @throws DamagedRecordException if what is known of it can't be read
   */
  public Created create(TriggerName name, Definition definition, boolean whatIsLeft)
      throws InterruptedException {
    return alone(
        name,
        producer -> {
          var known = known(name);
          return known.isPresent()
              ? new Created(same(name, definition, known.get()), false)
              : new Created(write(producer, name, definition, whatIsLeft), true);
        });
  }

  /**
   * Removes everything that the state topic says of a trigger, whether or not it can be read.
   *
   * @return how many records there were
   */
  public int remove(TriggerName name) throws InterruptedException {
    return alone(
        name,
        producer -> {
          var removals = removals(name);
          inTransaction(producer, removals);
          return removals.size();
        });
  }

  /** What each partition says of it; empty if none says anything. */
  private Optional<List<Creation>> known(TriggerName name) throws InterruptedException {
    var states = TriggerStates.of(name);
    try (var reader = reader(states::accept)) {
      reader.readAll();
      var creations =
          states.partitions(name, reader.partitions()).stream()
              .flatMap(partition -> partition.creation().stream())
              .toList();
      if (!creations.isEmpty() && creations.size() != reader.partitions()) {
        throw new KafkaException(
            "%s: %d of %d partitions know trigger %s, which is written to all at once; `cellmesh trigger delete %s` removes what is left of it"
                .formatted(
                    topics.triggerState(), creations.size(), reader.partitions(), name, name));
      }
      return creations.isEmpty() ? Optional.empty() : Optional.of(creations);
    }
  }

  private static List<Creation> same(TriggerName name, Definition asked, List<Creation> known) {
    var differences = known.get(0).differences(asked);
    if (differences.isPresent()) {
      throw new TriggerRefusedException(
          "trigger %s is created and never changes: %s; give this one another name, or `cellmesh trigger delete %s` first"
              .formatted(name, differences.get(), name));
    }
    return known;
  }

  private List<Creation> write(
      KafkaProducer<byte[], byte[]> producer,
      TriggerName name,
      Definition definition,
      boolean whatIsLeft)
      throws InterruptedException {
    var createdAt = Instant.now().truncatedTo(ChronoUnit.MICROS);
    var creations =
        begins(definition, whatIsLeft).stream()
            .map(begin -> Creation.of(definition, begin, createdAt))
            .toList();
    var records = new ArrayList<ProducerRecord<byte[], byte[]>>();
    for (int number = 0; number < creations.size(); number++) {
      var record = StateRecord.of(new StateKey.OfCreation(name), creations.get(number));
      records.add(record.in(topics.triggerState(), number));
    }
    inTransaction(producer, records);
    return creations;
  }

  private List<Long> begins(Definition definition, boolean whatIsLeft) {
    try (var client = Consumers.open(kafka)) {
      var topic = TopicOffsets.of(client, definition.topic());
      int wanted = TopicOffsets.of(client, topics.triggerState()).partitions();
      if (topic.partitions() != wanted) {
        throw new TriggerRefusedException(
            "topic = %s: has %d partitions, and %s has %d; a trigger reads a topic with those of the instance"
                .formatted(topic.topic(), topic.partitions(), topics.triggerState(), wanted));
      }
      var own = ownColumn(definition);
      return own.isPresent() && definition.start() instanceof Start.Beginning && !whatIsLeft
          ? whole(client, own.get())
          : StartOffsets.of(client, topic, definition.start(), whatIsLeft);
    }
  }

  /** The column whose own topic it reads, if it does. */
  private Optional<String> ownColumn(Definition definition) {
    return definition.columns().stream()
        .filter(column -> topics.trigger(column).equals(definition.topic()))
        .findFirst();
  }

  /** A column's own topic has what came since the sources write it, which nothing remembers. */
  private List<Long> whole(Consumer<byte[], byte[]> client, String column) {
    var topic = topics.trigger(column);
    if (!LogOffsets.of(client, topology).whole()) {
      throw new TriggerRefusedException(
          "start = beginning: the log no longer has its first records, by which to tell whether %s has all; say --what-is-left to begin with the first that it has"
              .formatted(topic));
    }
    return StartOffsets.whole(topic, TriggerTopicReader.read(client, topology, column));
  }

  /** By keys alone: what stands behind the name and in the value may be damaged. */
  private List<ProducerRecord<byte[], byte[]>> removals(TriggerName name)
      throws InterruptedException {
    var living = new LinkedHashMap<String, ProducerRecord<byte[], byte[]>>();
    try (var reader =
        reader(
            record -> {
              if (StateKey.belongsTo(name, record.key())) {
                var key = record.partition() + "|" + text(record.key());
                if (record.value() == null) {
                  living.remove(key);
                } else {
                  living.put(
                      key,
                      new ProducerRecord<>(record.topic(), record.partition(), record.key(), null));
                }
              }
            })) {
      reader.readAll();
    }
    return List.copyOf(living.values());
  }

  private StateReader reader(java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    return new StateReader(kafka, topics.triggerState(), StateReader.PATIENCE, sink);
  }

  @FunctionalInterface
  private interface Work<T> {
    T run(KafkaProducer<byte[], byte[]> producer) throws InterruptedException;
  }

  /** Whoever is fenced begins again, and then finds what the other one has done. */
  private <T> T alone(TriggerName name, Work<T> work) throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      var producer = producer(name);
      try {
        producer.initTransactions();
        return work.run(producer);
      } catch (KafkaException e) {
        if (!isFenced(e)) {
          throw e;
        }
        if (attempt == ATTEMPTS) {
          throw new TriggerRefusedException(
              "another command creates or deletes trigger %s all the time; run this again once it is done"
                  .formatted(name));
        }
      } finally {
        producer.close(CLOSING);
      }
      Thread.sleep(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE.toMillis()));
    }
  }

  /** One that is not committed is aborted by whoever comes next, or else by its timeout. */
  private static void inTransaction(
      KafkaProducer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records)
      throws InterruptedException {
    if (records.isEmpty()) {
      return;
    }
    producer.beginTransaction();
    var sent = new ArrayList<Future<?>>();
    records.forEach(record -> sent.add(producer.send(record)));
    for (var each : sent) {
      try {
        each.get();
      } catch (ExecutionException e) {
        throw new KafkaException(e.getCause().getMessage(), e.getCause());
      }
    }
    producer.commitTransaction();
  }

  private KafkaProducer<byte[], byte[]> producer(TriggerName name) {
    var config = kafka.client();
    config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, name.creationId(topics.instance()));
    config.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_MS);
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MS);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, TRANSACTION_MS);
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, SEND_MS);
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static boolean isFenced(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProducerFencedException
          || cause instanceof InvalidProducerEpochException) {
        return true;
      }
    }
    return false;
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }
}
