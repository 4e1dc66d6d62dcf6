package io.cellmesh.cli.commands;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.ReadPlace;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.GroupPlaces;
import io.cellmesh.terminal.Console;
import io.cellmesh.topics.Consumers;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code index accept}. */
@Command(
    name = "accept",
    header = "Go on after what a pass of index-streams would read next has expired.",
    description =
        "Moves a pass behind records that its topics no longer have; the halted pass goes on by itself "
            + "within seconds. Its indexes then lack what those records told: `cellmesh index verify` "
            + "names it, and a new version of the index has it again, from the entity tables. Without "
            + "--yes it only says what it would do.")
final class IndexAcceptCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private DataCenterTarget target;

  @Option(
      names = "--pass",
      required = true,
      paramLabel = "NAME",
      description = "The pass, as `cellmesh index status` names it.")
  private String pass;

  @Option(names = "--yes", description = "Do it.")
  private boolean yes;

  IndexAcceptCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var deployment = target.open();
    var dc = target.of(deployment);
    try (var admin = Consumers.admin(dc.kafka());
        var client = Consumers.open(dc.kafka())) {
      var group = new GroupPlaces(admin, InstanceNames.application(deployment.instance(), pass));
      var places = group.read(client, topics(dc, client));
      var bad = places.stream().filter(ReadPlace::bad).toList();
      if (bad.isEmpty()) {
        console.line(
            "nothing to accept: the topics of %s have all that comes next".formatted(pass));
        return ExitCodes.OK;
      }
      bad.forEach(place -> console.line(place.text()));
      if (!yes) {
        console.note("nothing was changed; say --yes to go on without what is lost");
        return ExitCodes.FAILED;
      }
      group.accept(places, false);
      console.line("accepted; the pass goes on");
      return ExitCodes.OK;
    }
  }

  /** Its backfill belongs to it if there is one. */
  private List<String> topics(DataCenter dc, Consumer<?, ?> client) {
    var topics = dc.topology().topics();
    var there = client.listTopics().keySet();
    return Stream.of(topics.log(), topics.indexBackfill(pass))
        .filter(topic -> topic.equals(topics.log()) || there.contains(topic))
        .toList();
  }
}
