package io.cellmesh.testcontainers;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.topics.load.CellInput;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.lifecycle.Startable;

/**
 * An instance of Cellmesh in containers: one data centre of four MySQL servers, a Kafka broker and
 * a Connect worker with the sink and the sources. It is made by the steps of docker-compose.yml.
 *
 * <pre>{@code
 * try (var stack = new CellmeshStack().withShards(16)) {
 *   stack.start();
 *   var key = stack.put(UUID.randomUUID(), "BASE", 1, "{\"fare\": 12.95}");
 *   stack.awaitVisible(key, Duration.ofSeconds(30));
 * }
 * }</pre>
 */
public final class CellmeshStack implements Startable {
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Images images = Images.of(System.getenv());
  private String instance = "trips";
  private int shards = 16;
  private Running running;

  /** Sets the instance's name, which its topics and databases begin with; {@code trips} if not. */
  public CellmeshStack withInstance(String name) {
    this.instance = name;
    return this;
  }

  /** Sets the number of shards, at least 2; 16 if not. Topics have up to four partitions. */
  public CellmeshStack withShards(int count) {
    this.shards = count;
    return this;
  }

  /** Sets the image of the MySQL servers; {@code $MYSQL_IMAGE} or {@code mysql:8.4} if not. */
  public CellmeshStack withMysqlImage(String image) {
    this.images = images.withMysql(image);
    return this;
  }

  /** Sets the image of the broker; {@code $KAFKA_IMAGE} or {@code apache/kafka:4.3.1} if not. */
  public CellmeshStack withKafkaImage(String image) {
    this.images = images.withKafka(image);
    return this;
  }

  /**
   * Sets the worker's image; {@code $CELLMESH_CONNECT_IMAGE} or {@code cellmesh-connect} if not.
   */
  public CellmeshStack withConnectImage(String image) {
    this.images = images.withConnect(image);
    return this;
  }

  /** Sets the command line's image; {@code $CELLMESH_CLI_IMAGE} or {@code cellmesh-cli} if not. */
  public CellmeshStack withCliImage(String image) {
    this.images = images.withCli(image);
    return this;
  }

  /**
   * Starts everything; a cell that is produced afterwards becomes visible. Does nothing if it runs.
   *
   * @throws IllegalArgumentException if a name or a number breaks its rule
   * @throws IllegalStateException if an image is not to be had, or a step fails; nothing runs then
   */
  @Override
  public void start() {
    if (running != null) {
      return;
    }
    var starting = new Running(images, Layout.of(instance, shards));
    try {
      starting.start();
    } catch (RuntimeException e) {
      starting.close();
      throw e;
    }
    running = starting;
  }

  /** Ends and removes everything. */
  @Override
  public void stop() {
    if (running != null) {
      running.close();
      running = null;
    }
  }

  /** Tells where Kafka is reached from this machine, as {@code bootstrap.servers} takes it. */
  public String bootstrapServers() {
    return running().bootstrapServers();
  }

  /** Tells where Connect's REST interface is reached from this machine. */
  public String connectUrl() {
    return running().connectUrl();
  }

  /**
   * Tells where the {@code cellmesh.yaml} is by which this machine reaches the servers, for
   * whatever takes {@code --deployment}. It is for reading and producing: what changes the instance
   * goes by the addresses that the containers know, so {@link #cellmesh} does that.
   */
  public Path deploymentFile() {
    return running().deploymentFile();
  }

  /** Opens {@link #deploymentFile}. */
  public Deployment deployment() {
    return running().deployment();
  }

  /**
   * Writes a cell, and returns once Kafka has accepted it.
   *
   * @param body any JSON value
   * @throws IllegalArgumentException naming the field and the rule, if it is no cell
   */
  public CellKey put(UUID rowKey, String columnName, long refKey, String body) {
    try {
      var cell = CellInput.parse(rowKey.toString(), columnName, Long.toString(refKey), body);
      var producer = running().producer();
      producer.send(cell, place -> {});
      producer.flush();
      return cell.key();
    } catch (InvalidCellException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Reads a cell from the master of its shard. */
  public Optional<LogRecord> get(CellKey key) {
    try {
      return running().reader().get(key);
    } catch (SQLException e) {
      throw new IllegalStateException("%s could not be read: %s".formatted(key, e.getMessage()), e);
    }
  }

  /**
   * Waits until a cell is visible.
   *
   * @throws IllegalStateException if it is not in time
   */
  public LogRecord awaitVisible(CellKey key, Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      var seen = get(key);
      if (seen.isPresent()) {
        return seen.get();
      }
      if (System.nanoTime() - end >= 0) {
        throw new IllegalStateException(
            "%s is not visible after %d s; the topic %s has it with the reason, if it was refused"
                .formatted(key, patience.toSeconds(), deployment().topics().rejected()));
      }
      Thread.sleep(PAUSE.toMillis());
    }
  }

  /** Runs a command of {@code cellmesh} in the stack, such as {@code status} or {@code verify}. */
  public ExecResult cellmesh(String... args) {
    var command = new ArrayList<>(List.of("cellmesh"));
    command.addAll(List.of(args));
    return Running.exec(running().cli(), command);
  }

  private Running running() {
    if (running == null) {
      throw new IllegalStateException("the stack does not run; start() starts it");
    }
    return running;
  }
}
