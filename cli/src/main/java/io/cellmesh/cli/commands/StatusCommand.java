package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.buffer.BufferReader;
import io.cellmesh.operations.buffer.BufferView;
import io.cellmesh.operations.ingest.IngestFinding;
import io.cellmesh.operations.ingest.IngestInspection;
import io.cellmesh.operations.instance.TimestampCheck;
import io.cellmesh.operations.mesh.Setback;
import io.cellmesh.operations.status.Part;
import io.cellmesh.operations.status.PartStatus;
import io.cellmesh.operations.status.Pipeline;
import io.cellmesh.operations.status.PipelineHop;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import io.cellmesh.terminal.BufferText;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Style;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code status}: what is up, what waits for whom, and how far each hop is behind. */
@Command(
    name = "status",
    header = "Show what is up, what waits for whom, and how far each hop is behind.",
    description =
        "One line a part: each master, minion, Kafka, Connect worker, connector with its tasks,"
            + " application, trigger and worker. Ends with 0 if all are up and nothing waits, and"
            + " with 1 if a part does not do its work, copies have waited for more than 10 s, or"
            + " records are missing.")
final class StatusCommand implements Callable<Integer> {
  /** A machine that is busy may take longer than usual to let somebody sign on, and is up. */
  private static final MySqlOptions OPTIONS =
      new MySqlOptions(
          Duration.ofSeconds(5),
          MySqlOptions.DEFAULT.socketTimeout(),
          MySqlOptions.DEFAULT.lockWait(),
          MySqlOptions.DEFAULT.idle(),
          MySqlOptions.DEFAULT.poolSize());

  /** Copies live for about two seconds, until the minions have what is in them. */
  private static final Duration USUAL_WAIT = Duration.ofSeconds(10);

  private final Console console;

  @Mixin private Target target;

  @Option(names = "--json", description = "Print a JSON document.")
  private boolean json;

  StatusCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var deployment = target.open();
    try (var pools = new Pools(deployment.operator())) {
      var parts = new PartStatus(pools).of(deployment);
      long down = parts.stream().filter(part -> !part.up()).count();
      var buffers =
          deployment.datacenters().stream()
              .filter(dc -> dc.knowsMySql() || !deployment.hidesBrokers(dc))
              .map(dc -> new BufferReader(dc.topology(), pools).view(Optional.empty()))
              .toList();
      var withKafka = withKafka(deployment.inReach(), parts);
      var missing = missing(deployment, withKafka);
      missing.addAll(setbacks(withKafka, parts));
      var warnings = warnings(withKafka);
      var hops =
          withKafka.size() < deployment.inReach().datacenters().size()
              ? Optional.<List<PipelineHop>>empty()
              : hops(deployment.inReach(), pools);
      boolean waits =
          !missing.isEmpty()
              || buffers.stream()
                  .flatMap(dc -> dc.primaries().stream())
                  .anyMatch(view -> view.waits(USUAL_WAIT));
      if (json) {
        var document = new LinkedHashMap<String, Object>();
        document.put("up", down == 0);
        document.put("waits", waits);
        document.put("parts", parts);
        document.put("buffers", buffers);
        document.put("missing", missing);
        document.put("warnings", warnings);
        hops.ifPresent(h -> document.put("behind", h));
        console.json(document);
      } else {
        print(parts);
        printBuffers(buffers);
        missing.forEach(console::line);
        warnings.forEach(console::line);
        print(hops);
        console.line();
        console.line(summary(parts.size(), down, waits));
      }
      return down == 0 && !waits ? ExitCodes.OK : ExitCodes.FAILED;
    }
  }

  /** Where Kafka can be asked: one that is down would only say so again, and late. */
  private static List<DataCenter> withKafka(Deployment deployment, List<Part> parts) {
    var there =
        parts.stream()
            .filter(part -> part.name().equals("kafka") && part.up())
            .map(Part::datacenter)
            .toList();
    return deployment.datacenters().stream().filter(dc -> there.contains(dc.name())).toList();
  }

  /** Records of ingest topics that nobody has any more, in sentences. */
  private static List<String> missing(Deployment deployment, List<DataCenter> asked) {
    var missing = new ArrayList<String>();
    for (var dc : asked) {
      try (var nodes = new Nodes(new Pools(deployment.operator(), OPTIONS))) {
        new IngestInspection(dc, nodes)
            .run().stream()
                .filter(IngestFinding::bad)
                .map(
                    f ->
                        "%s %s: %s-%d: %s; see `cellmesh ingest check`"
                            .formatted(
                                dc.name(),
                                f.primary(),
                                f.topic().of(deployment.topics()),
                                f.partition(),
                                f.text()))
                .forEach(missing::add);
      } catch (SQLException | KafkaException | DeploymentException e) {
        // What does not answer has a line of its own.
      }
    }
    return missing;
  }

  /** Where a part is down, servers may have come from a backup; it takes a while to look. */
  private static List<String> setbacks(List<DataCenter> asked, List<Part> parts)
      throws InterruptedException {
    var suspected =
        asked.stream()
            .filter(
                dc ->
                    parts.stream()
                        .anyMatch(part -> part.datacenter().equals(dc.name()) && !part.up()))
            .toList();
    // What does not answer has a line of its own.
    return Setback.among(asked, suspected, unknown -> {});
  }

  /** What will do harm one day, in sentences; it does not count as being down. */
  private static List<String> warnings(List<DataCenter> asked) throws InterruptedException {
    var warnings = new ArrayList<String>();
    for (var dc : asked) {
      try {
        TimestampCheck.warnings(dc).forEach(w -> warnings.add(dc.name() + ": " + w));
      } catch (KafkaException e) {
        warnings.add("%s: its topics can't be looked at: %s".formatted(dc.name(), e.getMessage()));
      }
    }
    return warnings;
  }

  /** Empty if a server that has to be asked does not answer. */
  private Optional<List<PipelineHop>> hops(Deployment deployment, Pools pools)
      throws InterruptedException {
    try (var pipeline = new Pipeline(deployment, pools)) {
      return Optional.of(pipeline.hops());
    } catch (SQLException | KafkaException | OperationException | DeploymentException e) {
      return Optional.empty();
    }
  }

  private static String summary(int parts, long down, boolean waits) {
    var up =
        down == 0
            ? "all %d parts are up".formatted(parts)
            : "%d of %d parts %s down".formatted(down, parts, down == 1 ? "is" : "are");
    return up + (waits ? ", and cells wait" : "");
  }

  private void print(List<Part> parts) {
    var table = Table.of("where", "part", "address", "", "");
    for (var part : parts) {
      table.row(part.datacenter(), part.name(), part.address(), mark(part.up()), part.detail());
    }
    console.table(table);
    console.line();
  }

  private void printBuffers(List<BufferView> buffers) {
    var table = Table.of("where", "primary", "", "waiting>", "oldest>", "kept>", "kept for");
    for (var dc : buffers) {
      for (var view : dc.primaries()) {
        table.row(
            dc.datacenter(),
            view.primary(),
            mark(view.masterUp()),
            Texts.count(view.waitingCells()),
            view.waitingCells() == 0 ? "" : Texts.age(view.oldestWaitingMillis()),
            Texts.count(view.keptCells()),
            view.keptFor().isEmpty() ? "" : "minion " + Texts.list(view.keptFor()));
      }
    }
    console.table(table);
    for (var dc : buffers) {
      for (var view : dc.primaries()) {
        BufferText.lines(dc, view).forEach(line -> console.line(dc.datacenter() + " " + line));
      }
      dc.unreachable()
          .forEach(server -> console.line(dc.datacenter() + " " + BufferText.line(server)));
    }
    console.line();
  }

  private void print(Optional<List<PipelineHop>> hops) {
    if (hops.isEmpty()) {
      console.line("the lags can't be told while a part is down");
      return;
    }
    var lags = Table.of("where", "hop", "behind>");
    for (var hop : hops.get()) {
      lags.row(hop.datacenter(), hop.name(), Texts.count(hop.behind()));
    }
    console.table(lags);
  }

  private String mark(boolean up) {
    return up ? console.style(Style.GREEN, "✓") : console.style(Style.RED, "✗");
  }
}
