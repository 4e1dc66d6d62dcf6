package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.trigger.TriggerSetup;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Texts;
import io.cellmesh.topics.trigger.Definition;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.TriggerRegistry.Created;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code trigger create}. */
@Command(
    name = "create",
    header = "Create a trigger, which says what its processes are called with and from where on.",
    description = {
      "Written into Kafka for all partitions at once, or for none. It never changes: the same command "
          + "again changes nothing, and another definition under the same name is refused. Makes the topics of "
          + "triggers where the instance is older than they are.",
      "",
      "From the beginning is refused where the log no longer has its first records: nobody shall take "
          + "for all cells what is not."
    })
final class TriggerCreateCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private TriggerTarget target;

  @Option(
      names = "--from",
      required = true,
      paramLabel = "PLACE",
      description =
          "Where it begins: beginning, now, a time such as 2026-01-31T12:00:00Z, or an offset for each "
              + "partition, with commas.")
  private String from;

  @Option(
      names = "--column",
      paramLabel = "NAME",
      description = "Only cells of this column; may be given several times (default: all).")
  private List<String> columns = List.of();

  @Option(
      names = "--topic-of",
      paramLabel = "COLUMN",
      description =
          "Read the topic of this column, which sources with trigger.columns write, rather than the "
              + "log; needed where the log has a topic for each shard.")
  private Optional<String> own = Optional.empty();

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      defaultValue = "SHARD",
      description =
          "Within what it is called with one cell after the other: shard (default), or row, where other "
              + "rows of the shard may overtake.")
  private Order order;

  @Option(
      names = "--what-is-left",
      description = "From the beginning: begin with the first record that there still is.")
  private boolean whatIsLeft;

  @Option(
      names = "--replication-factor",
      paramLabel = "N",
      description = "Of topics that are missing (default: the brokers' own).")
  private Optional<Short> replication = Optional.empty();

  TriggerCreateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var setup =
        new TriggerSetup(
            target.name(),
            own,
            columns,
            order,
            StartText.parse("--from", "beginning", from),
            whatIsLeft,
            replication.orElse((short) -1));
    var created = setup.run(target.site());
    console.line(text(setup, created));
    return ExitCodes.OK;
  }

  private static String text(TriggerSetup setup, Created created) {
    var definition = created.partitions().get(0).definition();
    return "trigger %s %s: %s of %s, in the order of each %s, from %s"
        .formatted(
            setup.name(),
            created.isNew() ? "is created" : "was created before",
            definition.columns().isEmpty() ? "all cells" : Texts.list(definition.columns()),
            definition.topic(),
            Definition.text(definition.order()),
            definition.start().text());
  }
}
