package io.cellmesh.cli.commands;

import io.cellmesh.connect.client.ConnectClientException;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.StrimziCluster;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.strimzi.ConnectorManifests;
import io.cellmesh.operations.strimzi.Manifest;
import io.cellmesh.operations.strimzi.Reconciliation;
import io.cellmesh.terminal.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options of a command that changes the settings of connectors. Where Strimzi owns them it is
 * paused meanwhile, and then given resources that say what Connect has.
 */
final class OwnedConnectors {
  @Mixin private PausedConnectors pause;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where Strimzi owns the connectors: write the KafkaConnectors that are to be applied then "
              + "into DIR/DC-connectors.yaml, rather than to standard output.")
  private Optional<Path> out = Optional.empty();

  /**
   * @throws OperationException if Strimzi owns the connectors and nobody says that it is paused
   */
  void requirePaused(DataCenter dc) {
    pause.requirePaused(dc);
  }

  /**
   * Prints or writes the resources, and says what ends the pause.
   *
   * @param mayBeGone connectors whose resources go if they are not there any more
   */
  void handOver(Console console, DataCenter dc, String... mayBeGone) throws IOException {
    if (dc.strimzi().isPresent()) {
      handOver(console, dc, dc.strimzi().get(), List.of(mayBeGone));
    }
  }

  private void handOver(
      Console console, DataCenter dc, StrimziCluster cluster, List<String> mayBeGone)
      throws IOException {
    var manifests = current(dc, cluster);
    var left = manifests.stream().map(Manifest::name).toList();
    var reconciliation = new Reconciliation(cluster);
    var commands = new ArrayList<String>();
    if (!manifests.isEmpty()) {
      commands.add(reconciliation.apply(show(console, dc, manifests)));
    }
    mayBeGone.stream()
        .filter(name -> !left.contains(name))
        .map(reconciliation::delete)
        .forEach(commands::add);
    commands.addAll(reconciliation.goOn());
    console.note(
        "Strimzi's resources do not say yet what Connect has now of %s. Apply these, then let it go on:"
            .formatted(dc.name()));
    console.note(PausedConnectors.indented(commands));
  }

  private static List<Manifest> current(DataCenter dc, StrimziCluster cluster) {
    try {
      return ConnectorManifests.current(dc, cluster);
    } catch (ConnectClientException e) {
      throw OperationException.unavailable(
          "%s; Strimzi must not go on before its resources say what Connect has: run the same command again"
              .formatted(e.getMessage()),
          e);
    }
  }

  /** Returns what {@code kubectl apply -f} is to be told. */
  private String show(Console console, DataCenter dc, List<Manifest> manifests) throws IOException {
    var yaml = Manifest.yaml(manifests);
    if (out.isEmpty()) {
      console.line(yaml.stripTrailing());
      return "FILE   # what was printed";
    }
    Files.createDirectories(out.get());
    return Files.writeString(out.get().resolve(dc.name() + "-connectors.yaml"), yaml).toString();
  }
}
