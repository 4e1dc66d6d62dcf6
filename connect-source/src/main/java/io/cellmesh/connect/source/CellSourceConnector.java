package io.cellmesh.connect.source;

import io.cellmesh.cell.LogOffset;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;

/**
 * Turns the committed cells of one storage cluster into the records of the instance's log.
 *
 * <p>There is one task however many {@code tasks.max} allows: a binlog is one sequence. The task
 * gets the connector's settings as they are, so that a secret that came from a config provider is
 * stored as the reference that it was.
 */
public final class CellSourceConnector extends SourceConnector {
  /** When the task was last started anew; that it changes is what makes Connect do so. */
  static final String STARTED_ANEW = "task.started.anew";

  private Map<String, String> settings = Map.of();
  private volatile TaskMonitor monitor;
  private boolean shown;
  private volatile String startedAnew = "";
  private volatile int restarts;

  @Override
  public String version() {
    return Version.current();
  }

  @Override
  public void start(Map<String, String> props) {
    var config = new CellSourceConfig(props);
    settings = Collections.unmodifiableMap(new HashMap<>(props));
    var partition = Map.of("server", DebeziumSettings.name(config));
    monitor =
        new TaskMonitor(
            config,
            new StoredFailure(context().offsetStorageReader(), partition),
            this::startTaskAnew);
    showMetrics();
    monitor.start();
  }

  @Override
  public Class<? extends Task> taskClass() {
    return CellSourceTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    if (startedAnew.isEmpty()) {
      return List.of(settings);
    }
    var task = new HashMap<>(settings);
    task.put(STARTED_ANEW, startedAnew);
    return List.of(task);
  }

  @Override
  public void stop() {
    if (monitor != null) {
      monitor.close();
      monitor = null;
    }
    settings = Map.of();
  }

  /** Connect stops and resumes one and the same connector, and takes each metric of it once. */
  private void showMetrics() {
    if (!shown) {
      shown = true;
      ConnectorMetric.show(context(), () -> Optional.ofNullable(monitor), () -> restarts);
    }
  }

  /** Connect starts a task anew, a failed one too, only if its settings are others than before. */
  private void startTaskAnew() {
    restarts++;
    startedAnew = Instant.now().toString();
    context().requestTaskReconfiguration();
  }

  @Override
  public ConfigDef config() {
    return CellSourceConfig.DEFINITION;
  }

  /**
   * A cell and the offset behind it are one record, and what comes after an offset is always the
   * same; so with Connect's transactions each cell is in the log once.
   */
  @Override
  public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> props) {
    return ExactlyOnceSupport.SUPPORTED;
  }

  /**
   * Accepts offsets that the task can start from, and their removal.
   *
   * @throws ConnectException naming the field and the rule that it breaks
   */
  @Override
  public boolean alterOffsets(
      Map<String, String> props, Map<Map<String, ?>, Map<String, ?>> offsets) {
    var partition = Map.of("server", DebeziumSettings.name(new CellSourceConfig(props)));
    offsets.forEach(
        (key, offset) -> {
          if (offset == null) {
            return;
          }
          if (!key.equals(partition)) {
            throw new ConnectException(
                "offset partition %s is not this connector's; that is %s"
                    .formatted(key, partition));
          }
          try {
            LogOffset.parse(offset);
          } catch (IllegalArgumentException e) {
            throw new ConnectException("offset of %s: %s".formatted(key, e.getMessage()), e);
          }
        });
    return true;
  }

  @Override
  public Config validate(Map<String, String> props) {
    return new Config(CellSourceConfig.validate(props));
  }
}
