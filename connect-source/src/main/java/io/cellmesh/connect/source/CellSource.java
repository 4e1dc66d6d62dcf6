package io.cellmesh.connect.source;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTaskContext;

/**
 * The log records of one storage cluster.
 *
 * <p>What {@link #poll} returns counts as handed out: Connect keeps it until Kafka has it or the
 * task ends, so a Debezium task that takes over begins behind it.
 */
final class CellSource {
  private final BinlogStream stream;
  private final LogWriter writer;
  private final ResumePoint resumePoint;

  private CellSource(BinlogStream stream, LogWriter writer, ResumePoint resumePoint) {
    this.stream = stream;
    this.writer = writer;
    this.resumePoint = resumePoint;
  }

  static CellSource start(CellSourceConfig config, SourceTaskContext context) {
    var topology = config.topology();
    var settings = DebeziumSettings.of(config);
    var resumePoint = new ResumePoint(context.offsetStorageReader(), DebeziumSettings.name(config));
    var server = new BinlogServer(config.server().address(), topology.instance(), settings);
    return new CellSource(
        new BinlogStream(settings, context, resumePoint, server),
        new LogWriter(topology),
        resumePoint);
  }

  /** Null if there is nothing, as Connect has it. */
  List<SourceRecord> poll() throws InterruptedException {
    var log = new ArrayList<SourceRecord>();
    for (var record : stream.poll()) {
      var written = writer.write(record);
      if (written.isPresent()) {
        log.add(written.get());
        resumePoint.passed(record);
      } else {
        resumePoint.passedBetweenTransactions(record);
      }
    }
    return log.isEmpty() ? null : log;
  }

  void stop() {
    stream.stop();
  }
}
