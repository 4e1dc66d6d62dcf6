package io.cellmesh.e2e.security;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Topics;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.KafkaBroker;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What a link sees of a second data centre: brokers with a log, which ask who reads it. */
final class PeerKafka implements AutoCloseable {
  static final String NAME = "dc2";

  private final DevStack stack;
  private final Topics topics;

  PeerKafka(Topics topics, int partitions) {
    this.topics = topics;
    this.stack =
        DevStack.start(
            Options.defaults().withDatacenters(1).withoutMySql().withWorkers(0).withKafkaSecurity(),
            Progress.silent());
    broker()
        .create(
            new NewTopic(topics.log(), partitions, (short) 1),
            new NewTopic(topics.meshPlace(), 1, (short) 1)
                .configs(Map.of("cleanup.policy", "compact")),
            new NewTopic(topics.checkpoint(), partitions, (short) 1)
                .configs(Map.of("cleanup.policy", "compact")));
  }

  KafkaBroker broker() {
    return stack.broker("dc1");
  }

  /** Puts the first cell of a shard into the log. */
  void log(Cell cell, int shard) throws Exception {
    var settings = new HashMap<String, Object>(broker().administrator());
    settings.put("bootstrap.servers", broker().bootstrap());
    var row = new LogRecord(cell, shard, 1, Instant.now());
    try (var producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer
          .send(new ProducerRecord<>(topics.log(), Envelope.key(cell.key()), Envelope.write(row)))
          .get();
    }
  }

  @Override
  public void close() {
    stack.close();
  }
}
