package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.connect.source.SourceRecord;

/** A task, started and stopped by the test, which plays Connect and consumes the log. */
final class TaskRun {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Topology topology;
  private final InstanceFixture instance;
  private final FakeTaskContext connect = new FakeTaskContext();
  private final LogReader log = new LogReader();
  private final List<LogReader> readers = new ArrayList<>(List.of(log));
  private final List<SourceRecord> records = new ArrayList<>();
  private CellSourceTask task;

  TaskRun(Topology topology, InstanceFixture instance) {
    this.topology = topology;
    this.instance = instance;
  }

  void start(Map<String, String> changes) {
    var settings = Samples.settings();
    settings.put("topology", TopologyYaml.write(topology));
    settings.put("mysql.user", "root");
    settings.put("mysql.password", "");
    settings.putAll(changes);
    task = new CellSourceTask();
    task.initialize(connect);
    task.start(settings);
  }

  void stop() {
    task.stop();
  }

  /** Everything that was ever in the log. */
  LogReader log() {
    return log;
  }

  /** Every record that was handed out, but heartbeats, in that order. */
  List<SourceRecord> records() {
    return List.copyOf(records);
  }

  /** Reads what comes from now on. */
  LogReader anotherReader() {
    var reader = new LogReader();
    readers.add(reader);
    return reader;
  }

  void alterOffset(Map<String, ?> offset) {
    connect.store(offset);
  }

  /** Until the log has, by first occurrence, exactly the rows that there are now. */
  void readUntilComplete() throws IOException, InterruptedException, SQLException {
    var rows = instance.rows();
    readUntil(() -> log.cells().size() >= rows.size());
    assertThat(log.cells()).isEqualTo(rows);
  }

  void readUntil(BooleanSupplier done) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time is up, %s", log.cells().size()).isLessThan(end);
      read();
    }
  }

  void read() throws IOException, InterruptedException {
    var polled = task.poll();
    if (polled != null) {
      for (var record : polled) {
        if (record.topic().startsWith("trips.log")) {
          for (var reader : readers) {
            reader.take((byte[]) record.value());
          }
        }
        if (!record.topic().equals("trips.heartbeat")) {
          records.add(record);
        }
        connect.store(record);
      }
    }
  }
}
