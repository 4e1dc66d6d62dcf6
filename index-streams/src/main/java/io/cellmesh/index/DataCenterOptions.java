package io.cellmesh.index;

import io.cellmesh.cell.Credentials;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.TopologyStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Which data centre it is, and how to reach it. */
final class DataCenterOptions {
  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--deployment",
      paramLabel = "FILE",
      description =
          "The deployment (default: the file that "
              + Deployment.VARIABLE
              + " names, then ./"
              + Deployment.FILE
              + ").")
  private Optional<Path> deployment = Optional.empty();

  @Option(
      names = "--dc",
      paramLabel = "NAME",
      description = "The data centre (default: the deployment's first).")
  private Optional<String> name = Optional.empty();

  @Option(
      names = "--topology",
      paramLabel = "FILE",
      description = "The shard map, instead of a deployment; needs --bootstrap.")
  private Optional<Path> topology = Optional.empty();

  @Option(
      names = "--bootstrap",
      paramLabel = "HOST:PORT",
      description = "Kafka, without TLS and SASL; needs --topology.")
  private Optional<String> bootstrap = Optional.empty();

  /** Where passes came from before they had a topic. */
  @Option(names = "--indexes", hidden = true)
  void indexes(Path directory) {
    throw new ParameterException(
        spec.commandLine(),
        "--indexes: passes are read from the topic INSTANCE.passes now; leave the option out, and if %s has passes that the topic has not, run `cellmesh index publish` (docs/operating.md, Upgrading)"
            .formatted(directory));
  }

  /**
   * Opens the data centre.
   *
   * @throws ParameterException if the options don't say which one it is
   * @throws DeploymentException if its file can't be used
   * @throws IOException if a file can't be read
   */
  DataCenter open() throws IOException {
    if (topology.isPresent() || bootstrap.isPresent()) {
      return ofTopology();
    }
    var file =
        Deployment.find(deployment)
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(),
                        "which data centre? Give --deployment FILE, or --topology FILE and --bootstrap HOST:PORT"));
    return Deployment.read(file).datacenter(name);
  }

  private DataCenter ofTopology() throws IOException {
    if (topology.isEmpty() || bootstrap.isEmpty() || deployment.isPresent() || name.isPresent()) {
      throw new ParameterException(
          spec.commandLine(),
          "--topology and --bootstrap belong together, and stand instead of --deployment and --dc");
    }
    var store = TopologyStore.ofFile(topology.get());
    var map = store.read();
    var access =
        new FixedAccess(
            "--topology and --bootstrap",
            Optional.of(KafkaAccess.plain(bootstrap.get())),
            Optional.empty(),
            DataCenterOptions::noMySql,
            Optional.empty(),
            Optional.empty());
    return new DataCenter(map.datacenter(), map, store, access);
  }

  private static Credentials noMySql() {
    throw new DeploymentException("--topology and --bootstrap say nothing of a MySQL user");
  }
}
