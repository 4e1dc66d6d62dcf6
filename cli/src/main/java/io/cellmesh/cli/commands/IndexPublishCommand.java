package io.cellmesh.cli.commands;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.deployment.Pass;
import io.cellmesh.operations.index.PassDirectory;
import io.cellmesh.operations.index.PassPublication;
import io.cellmesh.terminal.Console;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code index publish}. */
@Command(
    name = "publish",
    header = "Tell index-streams again which passes it is to keep.",
    description =
        "Makes the topic INSTANCE.passes if there is none, and writes into it the passes of the "
            + "catalogue that it lacks; what stands there is left alone. For a topic that was lost, and "
            + "for an instance whose index-streams still took its passes from a directory (--from).")
final class IndexPublishCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private IndexTarget target;

  @Option(
      names = "--dc",
      paramLabel = "NAME",
      description = "Only this data centre (default: all of the deployment).")
  private Optional<String> datacenter = Optional.empty();

  @Option(
      names = "--from",
      paramLabel = "DIR",
      description =
          "What --indexes named for an older index-streams: its passes are written as they stand there.")
  private Optional<Path> directory = Optional.empty();

  IndexPublishCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, SQLException, InterruptedException {
    List<Pass> former = directory.isPresent() ? PassDirectory.read(directory.get()) : List.of();
    try (var open = target.open()) {
      var only = datacenter.map(name -> open.deployment().datacenter(Optional.of(name)));
      for (var site : open.sites()) {
        if (only.isEmpty() || only.get().name().equals(site.dc().name())) {
          var written = PassPublication.of(site).run(former);
          written.forEach(pass -> console.line(site.dc().name() + ": " + text(pass)));
          if (written.isEmpty()) {
            console.line(
                "%s: %s lacks no pass"
                    .formatted(site.dc().name(), site.dc().topology().topics().passes()));
          }
        }
      }
    }
    return ExitCodes.OK;
  }

  private static String text(Pass pass) {
    var labels = pass.definitions().stream().map(IndexDefinition::label).toList();
    return "%s keeps %s%s"
        .formatted(
            pass.name(), String.join(", ", labels), pass.backfill() ? ", with a backfill" : "");
  }
}
