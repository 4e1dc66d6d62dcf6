package io.cellmesh.cli.commands;

import io.cellmesh.cli.deployment.Deployment;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.cli.pipeline.Hop;
import io.cellmesh.cli.pipeline.Pipeline;
import io.cellmesh.cli.status.Part;
import io.cellmesh.cli.status.PartStatus;
import io.cellmesh.cli.terminal.Console;
import io.cellmesh.cli.terminal.Style;
import io.cellmesh.cli.terminal.Table;
import io.cellmesh.storage.Pools;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code status}: what is up, and how far each hop is behind. */
@Command(
    name = "status",
    header = "Show what is up, and how far each hop is behind.",
    description = "Ends with 1 if a part does not answer or a connector does not run.")
final class StatusCommand implements Callable<Integer> {
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
    try (var pools = new Pools(deployment.credentials())) {
      var parts = new PartStatus(pools).of(deployment);
      boolean up = parts.stream().allMatch(Part::up);
      var hops = hops(deployment, pools);
      if (json) {
        var document = new LinkedHashMap<String, Object>();
        document.put("up", up);
        document.put("parts", parts);
        hops.ifPresent(h -> document.put("behind", h));
        console.json(document);
      } else {
        print(parts, hops);
      }
      return up ? ExitCodes.OK : ExitCodes.FAILED;
    }
  }

  /** Empty if a server that has to be asked does not answer. */
  private Optional<List<Hop>> hops(Deployment deployment, Pools pools) throws InterruptedException {
    try (var pipeline = new Pipeline(deployment, pools)) {
      return Optional.of(pipeline.hops());
    } catch (SQLException | KafkaException e) {
      return Optional.empty();
    }
  }

  private void print(List<Part> parts, Optional<List<Hop>> hops) {
    var table = Table.of("where", "part", "address", "", "");
    for (var part : parts) {
      table.row(
          part.datacenter(),
          part.name(),
          part.address(),
          part.up() ? console.style(Style.GREEN, "✓") : console.style(Style.RED, "✗"),
          part.detail());
    }
    console.table(table);
    console.line();
    if (hops.isEmpty()) {
      console.line("the lags can't be told while a part is down");
      return;
    }
    var lags = Table.of("where", "hop", "behind>");
    for (var hop : new ArrayList<>(hops.get())) {
      lags.row(hop.datacenter(), hop.name(), Texts.count(hop.behind()));
    }
    console.table(lags);
  }
}
