package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.grants.KafkaGrants;
import io.cellmesh.operations.grants.KafkaRole;
import io.cellmesh.operations.strimzi.ConnectManifest;
import io.cellmesh.operations.strimzi.Manifest;
import io.cellmesh.operations.strimzi.MonitoringManifests;
import io.cellmesh.operations.strimzi.PluginArchive;
import io.cellmesh.operations.strimzi.TopicManifests;
import io.cellmesh.operations.strimzi.UserManifests;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.terminal.Console;
import io.cellmesh.topics.LogShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code strimzi}: what an instance is on Kubernetes, beside its connectors. */
@Command(
    name = "strimzi",
    header = "Print what Strimzi's operator runs, beside the connectors.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      StrimziCommand.Connect.class,
      StrimziCommand.Users.class,
      StrimziCommand.Topics.class,
      StrimziCommand.Monitoring.class
    })
final class StrimziCommand {

  /** {@code strimzi connect}. */
  @Command(
      name = "connect",
      header = "Print the KafkaConnect whose workers run the connectors.",
      description = {
        "Its brokers, encryption and Secrets follow from `connectors` of the deployment: a"
            + " reference to a file below /mnt/NAME means the Secret NAME, one by the provider env"
            + " a key of the Secret CONNECT-env. Its user is that of the role connect-worker, as"
            + " `strimzi users` makes it.",
        "",
        "With --plugins Strimzi builds an image with these plug-ins, which it downloads from "
            + "--plugins-url, and pushes it as --image; without, --image has them already."
      })
  static final class Connect implements Callable<Integer> {
    private final Console console;

    @Mixin private StrimziTarget target;

    @Option(
        names = "--image",
        paramLabel = "IMAGE",
        required = true,
        description = "The workers' image, which is built or there already.")
    private String image;

    @Option(
        names = "--plugins",
        paramLabel = "DIR",
        description =
            "Where the plug-ins lie here, each an archive (.zip, .tgz, .tar.gz or .jar), for their "
                + "checksums.")
    private Optional<Path> plugins = Optional.empty();

    @Option(
        names = "--plugins-url",
        paramLabel = "URL",
        description = "Where the same files lie for the build.")
    private Optional<String> url = Optional.empty();

    @Option(
        names = "--push-secret",
        paramLabel = "NAME",
        description = "The Secret with which the build may push the image.")
    private Optional<String> pushSecret = Optional.empty();

    @Option(
        names = "--replicas",
        paramLabel = "N",
        defaultValue = "2",
        description = "Workers (default: ${DEFAULT-VALUE}).")
    private int replicas;

    Connect(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException {
      if (plugins.isPresent() != url.isPresent()) {
        throw OperationException.invalid(
            "--plugins and --plugins-url belong together: the same files, here and for the build");
      }
      var archives =
          plugins.isPresent()
              ? PluginArchive.in(plugins.get(), url.get())
              : List.<PluginArchive>of();
      var dc = target.of(target.open());
      var connect = new ConnectManifest(replicas, image, archives, pushSecret);
      print(console, List.of(connect.of(dc, target.cluster(dc))));
      return ExitCodes.OK;
    }
  }

  /** {@code strimzi users}. */
  @Command(
      name = "users",
      header = "Print a KafkaUser for each role, with its ACLs.",
      description = {
        "The rights are those of `cellmesh grants --kafka`. The user of a role is called"
            + " cellmesh-ROLE, and so is the Secret that the User Operator makes for it.",
        "",
        "herb-replicator also reads at the peers: its users there are printed behind a comment that"
            + " names the data centre, for that one's Kubernetes."
      })
  static final class Users implements Callable<Integer> {
    private final Console console;

    @Mixin private StrimziTarget target;

    @Option(
        names = "--role",
        split = ",",
        paramLabel = "ROLE",
        description =
            "Only these roles of `grants --kafka` (default: all that the deployment has).")
    private List<String> roles = List.of();

    @Option(
        names = "--shard-topics",
        paramLabel = "SHAPE",
        defaultValue = "partition",
        description = "The log that the sources write, partition or topic (default: partition).")
    private LogShape shape;

    Users(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException {
      var deployment = target.open();
      var dc = target.of(deployment);
      var cluster = target.cluster(dc);
      var grants =
          new KafkaGrants(deployment, dc, shape, Optional.of(UserManifests.workers(cluster)));
      var users = new UserManifests(cluster, grants);
      var printed = new ArrayList<String>();
      for (var role : asked(deployment.datacenters().size() > 1)) {
        for (var user : users.of(role, UserManifests.user(role))) {
          var yaml = user.manifest().yaml();
          printed.add(
              user.dc().name().equals(dc.name())
                  ? yaml
                  : "# On the Kubernetes of %s%n%s".formatted(user.dc().name(), yaml));
        }
      }
      console.line(String.join("---\n", printed).stripTrailing());
      return ExitCodes.OK;
    }

    private List<KafkaRole> asked(boolean peers) {
      if (roles.isEmpty()) {
        return Arrays.stream(KafkaRole.values())
            .filter(role -> peers || role != KafkaRole.HERB_REPLICATOR)
            .toList();
      }
      return roles.stream().map(KafkaGrantsOptions::role).toList();
    }
  }

  /** {@code strimzi topics}. */
  @Command(
      name = "topics",
      header = "Print a KafkaTopic for each topic of the instance.",
      description =
          "With the partitions and settings of `cellmesh instance create`, which makes only the"
              + " databases where these are applied first. The topics of indexes come with"
              + " `cellmesh index create`; the Topic Operator leaves alone what has no resource.")
  static final class Topics implements Callable<Integer> {
    private final Console console;

    @Mixin private StrimziTarget target;

    @Mixin private TopicOptions options;

    Topics(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException {
      var dc = target.of(target.open());
      var plan = options.plan(dc.topology());
      print(console, TopicManifests.of(target.cluster(dc), plan));
      return ExitCodes.OK;
    }
  }

  /** {@code strimzi monitoring}. */
  @Command(
      name = "monitoring",
      header = "Print a PodMonitor of the workers, and the rules of their JMX exporter.",
      description =
          "The ConfigMap CONNECT-metrics is what `strimzi connect` refers to; the PodMonitor is for"
              + " Prometheus's operator, and gives each sample the label dc.")
  static final class Monitoring implements Callable<Integer> {
    private final Console console;

    @Mixin private StrimziTarget target;

    Monitoring(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException {
      var dc = target.of(target.open());
      var rules =
          Files.readString(
              StateDirectory.home().resolve("monitoring").resolve("jmx-exporter.yaml"));
      print(console, MonitoringManifests.of(dc, target.cluster(dc), rules));
      return ExitCodes.OK;
    }
  }

  private static void print(Console console, List<Manifest> manifests) {
    console.line(Manifest.yaml(manifests).stripTrailing());
  }
}
