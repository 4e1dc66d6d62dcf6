package io.cellmesh.cli.commands;

import io.cellmesh.cell.MySqlTls;
import io.cellmesh.cell.Topology;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.deployment.ConnectorAccess;
import io.cellmesh.deployment.StrimziCluster;
import io.cellmesh.operations.IndexFile;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.connectors.ConnectorRollout;
import io.cellmesh.operations.connectors.InstanceConnectors;
import io.cellmesh.operations.index.PassNames;
import io.cellmesh.operations.strimzi.ConnectorManifests;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.terminal.Console;
import io.cellmesh.topics.LogShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code connectors}: what is posted to Connect. */
@Command(
    name = "connectors",
    header = "What to post to Kafka Connect.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ConnectorsCommand.Render.class, ConnectorsCommand.Apply.class})
final class ConnectorsCommand {

  /** {@code connectors apply}. */
  @Command(
      name = "apply",
      header = "Give Connect the sink and the sources of a deployment, and wait until they run.",
      description =
          "What `connectors render --deployment` prints is checked by the workers first, with their own "
              + "secrets; then the connectors that are missing are made and those that differ are "
              + "changed. Run again it changes nothing. The index sinks come with `cellmesh index "
              + "create`.")
  static final class Apply implements Callable<Integer> {
    private final Console console;

    @Mixin private DataCenterTarget target;

    @Option(
        names = "--shard-topics",
        paramLabel = "SHAPE",
        defaultValue = "partition",
        description = "The log that the sources write, as for render (default: partition).")
    private LogShape shape;

    Apply(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException {
      var dc = target.datacenter();
      var map = dc.topology().requireSecondaries();
      var connectors =
          new InstanceConnectors(map, dc.connectors(), "", List.of(), shape)
              .render(StateDirectory.home().resolve("connectors"));
      new ConnectorRollout(dc)
          .run(connectors, (name, outcome) -> console.line(name + ": " + outcome));
      return ExitCodes.OK;
    }
  }

  /** {@code connectors render}. */
  @Command(
      name = "render",
      header = "Print the connectors of a topology, ready to post.",
      description =
          "Fills in the files of connectors/ with what the deployment, or --topology and the options "
              + "beside it, say: the sink once, the source once a storage cluster, the "
              + "index sink once for all indexes that are given. Each is a JSON object for POST "
              + "/connectors; with --format strimzi, a KafkaConnector for `kubectl apply`.")
  static final class Render implements Callable<Integer> {
    private static final String PASSWORD = "${env:CELLMESH_MYSQL_PASSWORD}";

    private final Console console;

    @Mixin private TopologyTarget target;

    @Option(
        names = "--index",
        paramLabel = "FILE",
        description =
            "An index definition; may be given several times. Indexes of one pass share a connector.")
    private List<Path> indexes = List.of();

    @Option(
        names = "--pass",
        paramLabel = "NAME",
        defaultValue = PassNames.FIRST,
        description =
            "The pass that index-streams keeps these indexes in (default: ${DEFAULT-VALUE}).")
    private String pass;

    @Option(
        names = "--kafka",
        paramLabel = "HOST:PORT",
        description = "With --topology, and needed there: Kafka, as the workers reach it.")
    private Optional<String> kafka = Optional.empty();

    @Option(
        names = "--mysql-user",
        paramLabel = "USER",
        defaultValue = "cellmesh_{role}",
        description =
            "With --topology: the MySQL user (default: cellmesh_{role}, as `cellmesh grants` makes "
                + "them). {role} stands for sink, source or index.")
    private String user;

    @Option(
        names = "--mysql-password",
        paramLabel = "TEXT",
        description =
            "With --topology: what stands for the password: a reference to a ConfigProvider rather than the password "
                + "(default: CELLMESH_MYSQL_PASSWORD, by the worker's EnvVarConfigProvider). {role} as "
                + "above.")
    private Optional<String> password = Optional.empty();

    @Option(
        names = "--mysql-ssl-mode",
        paramLabel = "MODE",
        defaultValue = "",
        description =
            "With --topology: DISABLED, PREFERRED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY, for all connectors; must be "
                + "said unless all servers are on this machine (then: PREFERRED).")
    private String mode;

    @Option(
        names = "--mysql-truststore",
        paramLabel = "FILE",
        description =
            "With --topology: a PKCS12 or JKS file on every worker with the CAs of the MySQL servers' certificates.")
    private Optional<Path> trustStore = Optional.empty();

    @Option(
        names = "--mysql-truststore-password",
        paramLabel = "TEXT",
        description =
            "With --topology: what stands for its password, again a reference to a ConfigProvider.")
    private Optional<String> trustStorePassword = Optional.empty();

    @Option(
        names = "--shard-topics",
        paramLabel = "SHAPE",
        defaultValue = "partition",
        description =
            "The log that the sources write: partition for one topic whose partitions share the shards "
                + "(default), or topic for a topic each shard, which neither index-streams nor "
                + "herb-replicator reads.")
    private LogShape shape;

    @Option(
        names = "--format",
        paramLabel = "FORMAT",
        defaultValue = "json",
        description = "json for Connect itself (default), or strimzi for its operator.")
    private Format format;

    @Mixin private StrimziOptions strimzi;

    @Option(
        names = "--out",
        paramLabel = "DIR",
        description = "Write one file a connector into this directory instead.")
    private Optional<Path> out = Optional.empty();

    /** For whom connectors are printed. */
    enum Format {
      JSON,
      STRIMZI
    }

    Render(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException {
      var map = target.read().requireSecondaries();
      var definitions = IndexFile.definitions(indexes);
      var connectors =
          new InstanceConnectors(map, access(map), pass, definitions, shape)
              .render(StateDirectory.home().resolve("connectors"));
      if (format == Format.JSON) {
        for (var connector : connectors) {
          show(connector.name() + ".json", connector.text() + "\n");
        }
      } else {
        var cluster = strimzi.cluster(said());
        boolean first = true;
        for (var connector : connectors) {
          var yaml = ConnectorManifests.of(cluster, connector).yaml();
          show(connector.name() + ".yaml", first || out.isPresent() ? yaml : "---\n" + yaml);
          first = false;
        }
      }
      return ExitCodes.OK;
    }

    private void show(String file, String text) throws IOException {
      if (out.isPresent()) {
        Files.createDirectories(out.get());
        console.line(Files.writeString(out.get().resolve(file), text).toString());
      } else {
        console.line(text.stripTrailing());
      }
    }

    /** A topology alone does not say who owns the connectors. */
    private Optional<StrimziCluster> said() throws IOException {
      return target.store().isPresent() ? Optional.empty() : target.datacenter().strimzi();
    }

    private ConnectorAccess access(Topology map) throws IOException {
      if (target.store().isEmpty()) {
        return target.datacenter().connectors();
      }
      var bootstrap =
          kafka.orElseThrow(
              () ->
                  OperationException.invalid(
                      "--topology needs --kafka: which brokers do the workers use?"));
      return new ConnectorAccess(
          user, password.orElse(PASSWORD), tls(map), bootstrap, Map.of(), Map.of());
    }

    /** The file is the workers' and need not be here. */
    private MySqlTls tls(Topology map) {
      MySqlTls.Mode asked;
      try {
        asked = MySqlTls.mode(mode, map);
      } catch (IllegalArgumentException e) {
        throw OperationException.invalid("--mysql-ssl-mode: " + e.getMessage());
      }
      try {
        return new MySqlTls(asked, trustStore, trustStorePassword.orElse(""));
      } catch (IllegalArgumentException e) {
        throw OperationException.invalid("--mysql-truststore: " + e.getMessage());
      }
    }
  }
}
