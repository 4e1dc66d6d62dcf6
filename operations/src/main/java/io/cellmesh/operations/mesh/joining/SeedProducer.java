package io.cellmesh.operations.mesh.joining;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.EnvelopeWriter;
import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.MeshPlace;
import io.cellmesh.cell.SeedMark;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.load.CellProducer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a seed in transactions, of which only the newest producer can commit any: what a reader
 * finds at the end of a partition stays its end until this one goes on there.
 */
final class SeedProducer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SeedProducer.class);

  /** The largest cells take their time; brokers allow a quarter of an hour. */
  private static final int TRANSACTION_MS = 600_000;

  private final DataCenter peer;
  private final String topic;
  private final KafkaProducer<byte[], byte[]> producer;
  private final EnvelopeWriter envelopes = new EnvelopeWriter();

  /** Sends records, and says how many. */
  interface Sending {
    int run() throws SQLException;
  }

  /**
   * Takes over from whoever wrote it before.
   *
   * @param datacenter that joins
   */
  SeedProducer(DataCenter peer, String datacenter) {
    this.peer = peer;
    this.topic = peer.topology().topics().seed(datacenter);
    var settings = peer.kafka().client();
    settings.put(
        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
        InstanceNames.seedTransaction(peer.topology().instance(), datacenter));
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 5);
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 128 << 10);
    settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_MS);
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, CellProducer.MAX_REQUEST);
    this.producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    try {
      naming(producer::initTransactions);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Runs work in a transaction; returns when all that it sent is there for good.
   *
   * @return what the work returned
   * @throws OperationException if another one writes this seed now
   * @throws SQLException of the work; then nothing that it sent is there
   */
  int commit(Sending work) throws SQLException {
    naming(producer::beginTransaction);
    boolean sent = false;
    try {
      int count = work.run();
      sent = true;
      naming(producer::commitTransaction);
      return count;
    } finally {
      if (!sent) {
        abort();
      }
    }
  }

  /** Sends a mark in each of some partitions; returns how many. */
  int mark(Map<Integer, MeshPlace> logs, boolean end) {
    logs.forEach(
        (partition, log) -> {
          var value = new SeedMark(end, log).toJson().getBytes(StandardCharsets.UTF_8);
          send(new ProducerRecord<>(topic, partition, null, value));
        });
    return logs.size();
  }

  /** Sends a cell as the log has it. */
  void cell(LogRecord cell) {
    var key = cell.cell().key();
    var headers =
        new RecordHeaders()
            .add(Envelope.COLUMN_HEADER, bytes(key.columnName()))
            .add(Envelope.ORIGIN_HEADER, bytes(cell.cell().origin().orElseThrow().datacenter()))
            .add(Envelope.SHARD_HEADER, bytes(Integer.toString(cell.shard())))
            .add(Envelope.ADDED_ID_HEADER, bytes(Long.toString(cell.addedId())));
    int partition = peer.topology().shards().partitionOf(cell.shard());
    send(
        new ProducerRecord<>(
            topic, partition, null, Envelope.key(key), envelopes.write(cell), headers));
  }

  @Override
  public void close() {
    envelopes.close();
    producer.close();
  }

  /** A send that fails fails the commit. */
  private void send(ProducerRecord<byte[], byte[]> record) {
    naming(() -> producer.send(record));
  }

  private void abort() {
    try {
      producer.abortTransaction();
    } catch (KafkaException e) {
      LOG.debug("not aborted, so that it is when another producer takes over", e);
    }
  }

  private void naming(Runnable call) {
    try {
      call.run();
    } catch (KafkaException e) {
      if (isFenced(e)) {
        throw OperationException.refused(
            "another `cellmesh dc add` writes %s at %s now; let that one go on"
                .formatted(topic, peer.name()));
      }
      var refusal = MissingRightException.refusalIn(e);
      throw refusal.isPresent() ? right(refusal.get()) : e;
    }
  }

  /** Whatever comes after the first refusal has it as its cause. */
  private static boolean isFenced(KafkaException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProducerFencedException
          || cause instanceof InvalidProducerEpochException) {
        return true;
      }
    }
    return false;
  }

  private MissingRightException right(AuthorizationException refusal) {
    return MissingRightException.of(
            peer.kafka(),
            "Write",
            "topic %s and the transactions of its name".formatted(topic),
            refusal)
        .inRole("operator");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
