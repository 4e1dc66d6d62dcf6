package io.cellmesh.cli.commands;

import io.cellmesh.cell.Cell;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.Topology;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.put.VisibleCell;
import io.cellmesh.storage.CellReader;
import io.cellmesh.storage.Pools;
import io.cellmesh.terminal.CellText;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Texts;
import io.cellmesh.topics.load.CellInput;
import io.cellmesh.topics.load.CellProducer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.RecordMetadata;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code put}: one cell. */
@Command(
    name = "put",
    header = "Write a cell.",
    description =
        "Checks the cell, produces it, and returns once Kafka has accepted it; with --wait once it "
            + "is visible in MySQL. A cell never changes: ends with 1 if --wait finds another body under "
            + "the same key, or nothing in time.")
final class PutCommand implements Callable<Integer> {
  private static final String NEW = "new";

  private final Console console;

  @Mixin private DataCenterTarget target;

  @Parameters(
      index = "0",
      paramLabel = "ROW",
      description = "The row key, a UUID; or new for a random one.")
  private String rowKey;

  @Parameters(index = "1", paramLabel = "COLUMN", description = "The column, such as BASE.")
  private String column;

  @Parameters(index = "2", paramLabel = "REF", description = "The ref key, a 64-bit integer.")
  private String refKey;

  @Parameters(
      index = "3",
      paramLabel = "JSON",
      description = "The body, any JSON value; - reads it from standard input.")
  private String body;

  @Option(names = "--wait", description = "Wait until the cell is visible.")
  private boolean wait;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "How long to wait (default: 30).")
  private int timeoutSeconds;

  @Option(names = "--json", description = "Print a JSON document.")
  private boolean json;

  PutCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call()
      throws IOException, InvalidCellException, SQLException, InterruptedException {
    var row = rowKey.equals(NEW) ? UUID.randomUUID().toString() : rowKey;
    var cell = CellInput.parse(row, column, refKey, body());
    var deployment = target.open();
    var dc = target.of(deployment);
    try (var pools = new Pools(deployment.reader());
        var producer = new CellProducer(dc.kafka(), deployment.topics())) {
      var reader = new CellReader(dc.topology(), pools, false);
      if (wait) {
        // Opens the connection, which would otherwise be a part of the time that is shown.
        VisibleCell.prepare(() -> reader.get(cell.key()));
      }
      var place = new AtomicReference<RecordMetadata>();
      producer.send(cell, place::set);
      producer.flush();
      var accepted = new Accepted(cell, dc.topology(), place.get());
      if (wait) {
        await(accepted, reader, deployment.topics().rejected());
      } else {
        accepted.show(console, json);
      }
    }
    return ExitCodes.OK;
  }

  private void await(Accepted accepted, CellReader reader, String rejected)
      throws InterruptedException {
    long start = System.nanoTime();
    var key = accepted.cell().key();
    var stored = VisibleCell.await(key, Duration.ofSeconds(timeoutSeconds), () -> reader.get(key));
    double millis = (System.nanoTime() - start) / 1e6;
    if (!stored.cell().body().sameAs(accepted.cell().body())) {
      throw OperationException.failed(
          "%s exists with another body (sha256 %s); this one goes to %s"
              .formatted(key, stored.cell().body().digest(), rejected));
    }
    if (json) {
      console.line(CellText.json(stored));
    } else {
      accepted.show(console, false);
      console.line(
          "visible as added_id %d, %s later".formatted(stored.addedId(), Texts.millis(millis)));
    }
  }

  private String body() throws IOException {
    return body.equals("-") ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8) : body;
  }

  /** Where an accepted cell went. */
  private record Accepted(Cell cell, Topology topology, RecordMetadata place) {
    void show(Console console, boolean json) {
      int shard = topology.shards().of(cell.key().rowKey());
      var cluster = topology.clusterOf(shard);
      if (json) {
        console.json(
            new Document(
                cell.key().rowKey(),
                cell.key().columnName(),
                cell.key().refKey(),
                shard,
                cluster.name(),
                place.topic(),
                place.partition(),
                place.offset()));
      } else {
        console.line(
            "accepted %s: %s partition %d offset %d, shard %d on cluster %s"
                .formatted(
                    cell.key(),
                    place.topic(),
                    place.partition(),
                    place.offset(),
                    shard,
                    cluster.name()));
      }
    }
  }

  private record Document(
      UUID row_key,
      String column_name,
      long ref_key,
      int shard,
      String cluster,
      String topic,
      int partition,
      long offset) {}
}
