package io.cellmesh.cli.commands;

import io.cellmesh.cell.Topology;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.instance.InstanceDatabases;
import io.cellmesh.operations.instance.InstanceTopics;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.Pools;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.ProgressBar;
import io.cellmesh.topics.Consumers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code instance}: what concerns an instance on servers of one's own. */
@Command(
    name = "instance",
    header = "Create an instance on MySQL and Kafka servers of your own, or upgrade it.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {InstanceCommand.Create.class, InstanceUpgradeCommand.class})
final class InstanceCommand {

  /** {@code instance create}. */
  @Command(
      name = "create",
      header = "Create the databases and the topics of an instance.",
      description =
          "On the masters of the topology one database a shard, and one for positions and buffers;"
              + " in Kafka, if it is named, the topics. A master that started read-only and has no"
              + " instance yet is opened. What exists is left alone, so it goes on quickly after an"
              + " interruption; other fixed values than the stored ones are refused. The MySQL"
              + " password is taken from the environment, as docs/security.md says.")
  static final class Create implements Callable<Integer> {
    private final Console console;

    @Mixin private OwnServers servers;

    @Option(
        names = "--kafka",
        paramLabel = "HOST:PORT",
        description = "With --topology: Kafka; without it no topics are created.")
    private Optional<String> kafka = Optional.empty();

    @Option(
        names = "--index",
        paramLabel = "NAME",
        description = "An index, which needs a topic; may be given several times.")
    private List<String> indexes = List.of();

    @Mixin private TopicOptions options;

    Create(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws Exception {
      var dc = servers.datacenter(Optional.empty(), kafka, Optional.empty());
      var topology = dc.topology().requireSecondaries();
      if (!dc.knowsKafka() && (!indexes.isEmpty() || options.areGiven())) {
        throw OperationException.invalid(
            "--index, --replication-factor and --shard-topics are for topics: add --kafka");
      }
      try (var pools = new Pools(dc.operator(), InstanceDatabases.OPTIONS)) {
        for (var cluster : InstanceDatabases.openNewMasters(topology, pools)) {
          console.line(
              "%s: opened its master %s, which had started read-only"
                  .formatted(cluster.name(), cluster.master().address()));
        }
        if (dc.knowsKafka()) {
          topics(topology, dc.kafka());
        }
        databases(topology, pools);
      }
      console.line(
          "instance %s: %d shards on %d storage clusters of %s"
              .formatted(
                  topology.instance(),
                  topology.shards().count(),
                  topology.clusters().size(),
                  topology.datacenter()));
      return ExitCodes.OK;
    }

    private void topics(Topology topology, KafkaAccess kafka) throws InterruptedException {
      try (var admin = Consumers.admin(kafka)) {
        var topics = new InstanceTopics(admin, options.plan(topology));
        try (var bar = console.progress("topics", topics.count(indexes))) {
          topics.create(indexes, bar::advance);
        }
        console.line("%d topics".formatted(topics.count(indexes)));
      }
    }

    private void databases(Topology topology, Pools pools) throws Exception {
      try (var bar = console.progress("databases", topology.shards().count())) {
        InstanceDatabases.create(topology, pools, showing(bar));
      }
    }

    private static InstanceSchema.CreationListener showing(ProgressBar bar) {
      return new InstanceSchema.CreationListener() {
        @Override
        public void made(int shards) {
          bar.advance(shards);
        }

        @Override
        public void found(int shards) {
          bar.found(shards);
        }
      };
    }
  }
}
