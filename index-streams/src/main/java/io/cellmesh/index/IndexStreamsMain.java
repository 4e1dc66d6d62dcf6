package io.cellmesh.index;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexDefinitionException;
import io.cellmesh.index.TopicCheck.UnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/**
 * Starts the application. Ends with 0 after SIGTERM, 1 after a failure, 2 if it can't be started.
 */
@Command(
    name = "index-streams",
    mixinStandardHelpOptions = true,
    description = "Keeps the indexes of an instance: reads its log, writes their entries.")
public final class IndexStreamsMain implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(IndexStreamsMain.class);

  @Option(
      names = "--topology",
      required = true,
      paramLabel = "FILE",
      description = "The shard map.")
  private Path topologyFile;

  @Option(names = "--bootstrap", required = true, paramLabel = "HOST:PORT", description = "Kafka.")
  private String bootstrap;

  @Option(
      names = "--index",
      required = true,
      paramLabel = "FILE",
      description = "An index definition; may be given several times.")
  private List<Path> indexFiles;

  @Option(
      names = "--state-dir",
      required = true,
      paramLabel = "DIR",
      description = "Where the state lies; made if missing.")
  private Path stateDir;

  @Option(names = "--threads", defaultValue = "1", description = "Stream threads (default: 1).")
  private int threads;

  @Option(
      names = "--replication",
      defaultValue = "-1",
      description = "Replication factor of the changelog topic (default: the broker's).")
  private int replication;

  public static void main(String[] args) {
    System.exit(
        new CommandLine(new IndexStreamsMain())
            .setExecutionExceptionHandler(IndexStreamsMain::explain)
            .execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException, UnusableException {
    var topology = TopologyYaml.parse(Files.readString(topologyFile));
    var definitions = definitions(topology);
    checkTopics(topology, definitions);
    Files.createDirectories(stateDir);
    var id = IndexSettings.applicationId(topology.instance(), definitions);
    LOG.info(
        "Indexes {} of {} as {}",
        definitions.stream().map(IndexDefinition::name).toList(),
        topology.instance(),
        id);
    var settings = new IndexSettings(bootstrap, stateDir, threads, replication);
    try (var streams =
        new RunningStreams(
            IndexTopology.of(definitions, topology.topics(), topology.shards()),
            settings.properties(id))) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(streams), "stop"));
      streams.start();
      streams.awaitEnd();
    }
    return ExitCode.SOFTWARE;
  }

  private List<IndexDefinition> definitions(Topology topology) throws IOException {
    var definitions = new ArrayList<IndexDefinition>();
    var names = new HashSet<String>();
    for (var file : indexFiles) {
      try {
        var definition = IndexDefinition.parse(Files.readString(file));
        if (!definition.datastore().equals(topology.instance())) {
          throw new IndexDefinitionException(
              "datastore: \"%s\" is not this topology's instance, %s"
                  .formatted(definition.datastore(), topology.instance()));
        }
        if (!names.add(definition.name())) {
          throw new IndexDefinitionException(
              "table: \"%s\" is given twice".formatted(definition.name()));
        }
        definitions.add(definition);
      } catch (IndexDefinitionException e) {
        throw new IndexDefinitionException(file + ": " + e.getMessage());
      }
    }
    return definitions;
  }

  private void checkTopics(Topology topology, List<IndexDefinition> definitions)
      throws UnusableException, InterruptedException {
    var topics = topology.topics();
    var partitioned =
        definitions.stream().map(d -> topics.index(d.label())).collect(Collectors.toSet());
    partitioned.add(topics.log());
    new TopicCheck(bootstrap)
        .run(partitioned, topology.shards().partitions(), Set.of(topics.unindexed()));
  }

  /** The JVM would end with 143 after its hooks; a stop that was asked for is a success. */
  private static void stop(RunningStreams streams) {
    streams.close();
    LOG.info("Stopped");
    Runtime.getRuntime().halt(ExitCode.OK);
  }

  private static int explain(
      Exception problem, CommandLine command, CommandLine.ParseResult arguments) {
    var usage = problem instanceof IllegalArgumentException || problem instanceof IOException;
    LOG.error("{}", problem instanceof IOException ? problem.toString() : problem.getMessage());
    LOG.debug("Details", problem);
    return usage ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }
}
