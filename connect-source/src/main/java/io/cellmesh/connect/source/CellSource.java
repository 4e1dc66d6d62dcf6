package io.cellmesh.connect.source;

import io.cellmesh.cell.LogOffset;
import java.util.List;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTaskContext;

/**
 * The log records of one storage cluster: from its entity tables while a rebuild is asked for, else
 * from a binlog.
 *
 * <p>What {@link #poll} returns counts as handed out: Connect keeps it until Kafka has it or the
 * task ends, so a Debezium task that takes over begins behind it.
 */
final class CellSource {
  /** Of envelopes that are made at one time: short stored bodies can be long ones. */
  private static final long MOST_BYTES = 8 << 20;

  private static final int LONGEST_REASON = 1000;

  private final ResumePoint resumePoint;
  private final StopSignal stop = new StopSignal();
  private final ServerSelector servers;
  private final InitialOffset initialOffset;
  private final Rebuild rebuild;
  private final BinlogStream stream;
  private final LogWriter writer;
  private final RecordBatcher batcher;
  private final RowIntake intake;
  private final Heartbeat heartbeat;
  private final SourceMetrics metrics;
  private RuntimeException failure;

  private CellSource(CellSourceConfig config, SourceTaskContext context) {
    this.resumePoint =
        new ResumePoint(context.offsetStorageReader(), DebeziumSettings.name(config));
    this.writer =
        new LogWriter(
            config.topology(),
            config.shardTopics(),
            config.triggerColumns(),
            resumePoint.partition());
    this.batcher = new RecordBatcher(writer, MOST_BYTES);
    this.heartbeat = new Heartbeat(config, resumePoint);
    this.metrics = new SourceMetrics(context, resumePoint);
    this.intake =
        new RowIntake(
            resumePoint, batcher, event -> metrics.transaction(event.gtid()), this::changed);
    this.servers = ServerSelector.watch(config, metrics::saw);
    this.initialOffset = new InitialOffset(resumePoint, servers, stop);
    this.rebuild = new Rebuild(config.cluster(), resumePoint, servers, writer, stop);
    this.stream = new BinlogStream(context, resumePoint, servers, stop);
    metrics.show(stream, rebuild, servers);
  }

  static CellSource start(CellSourceConfig config, SourceTaskContext context) {
    return new CellSource(config, context);
  }

  /**
   * Null if there is nothing, as Connect has it. Before the task fails it hands out why, so that
   * its connector knows a failure that needs a person from one of Connect's own.
   */
  List<SourceRecord> poll() throws InterruptedException {
    if (failure != null) {
      throw failure;
    }
    try {
      return read();
    } catch (RuntimeException e) {
      if (stop.isGiven()) {
        throw e;
      }
      failure = e;
      return List.of(heartbeat.lastWords(reason(e)));
    }
  }

  private List<SourceRecord> read() throws InterruptedException {
    var log = next();
    heartbeat.after(log).ifPresent(log::add);
    return log.isEmpty() ? null : log;
  }

  void stop() {
    stop.give();
    stream.stop();
    rebuild.stop();
    servers.close();
    writer.close();
  }

  private static String reason(RuntimeException failure) {
    var message =
        failure instanceof ConnectException
            ? String.valueOf(failure.getMessage())
            : failure + ": " + ConnectionLoss.rootMessage(failure);
    return message.length() <= LONGEST_REASON
        ? message
        : message.substring(0, LONGEST_REASON) + "…";
  }

  private List<SourceRecord> next() throws InterruptedException {
    if (batcher.isEmpty()) {
      if (resumePoint.offset().isEmpty()) {
        initialOffset.find();
      } else if (resumePoint.offset().flatMap(LogOffset::rebuild).isPresent()) {
        rebuild.read(batcher);
      } else {
        for (var record : stream.poll()) {
          intake.take(record);
        }
      }
    }
    int cells = batcher.size();
    var records = batcher.take();
    metrics.handedOut(cells - batcher.size());
    return records;
  }

  private void changed(EntityEvent event) {
    metrics.violation();
    writer.report(event);
  }
}
