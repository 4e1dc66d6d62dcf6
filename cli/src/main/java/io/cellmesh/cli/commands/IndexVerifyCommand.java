package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.index.IndexSelection;
import io.cellmesh.operations.index.IndexSite;
import io.cellmesh.operations.verify.IndexProof;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code index verify}. */
@Command(
    name = "verify",
    header = "Compare an index with the cells, while both change.",
    description =
        "Computes every entry from the entity tables and compares it with the index's. What differs "
            + "at first, such as cells on their way, is looked at again for half a minute. Ends with 1 "
            + "if something still differs, naming the first rows, or if an index that is named is not "
            + "there, or not complete.")
final class IndexVerifyCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private IndexTarget target;

  @Parameters(paramLabel = "INDEX", arity = "0..*", description = "The indexes (default: all).")
  private List<String> names = List.of();

  @Option(
      names = "--of-version",
      paramLabel = "N",
      description = "Only this version of it (default: all that are complete).")
  private Optional<Integer> version = Optional.empty();

  IndexVerifyCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, SQLException, InterruptedException {
    var choice = IndexSelection.of(names, version);
    boolean passed = true;
    try (var open = target.open()) {
      for (var site : open.sites()) {
        var where = site.dc().name();
        var results = new ArrayList<IndexProof.Result>();
        for (var wanted : choice.from(site.catalog().look(), where)) {
          results.add(verify(site, wanted));
        }
        if (results.isEmpty()) {
          console.line(where + ": no index is complete, so there is nothing to compare");
        } else {
          print(console, where, results);
        }
        passed &= results.stream().allMatch(IndexProof.Result::passed);
      }
    }
    return passed ? ExitCodes.OK : ExitCodes.FAILED;
  }

  private IndexProof.Result verify(IndexSite site, IndexVersion wanted)
      throws SQLException, InterruptedException {
    int partitions = site.dc().topology().shards().partitions();
    try (var bar = console.progress(wanted.label(), partitions)) {
      return IndexProof.run(site.dc(), site.pools(), wanted.definition(), bar::set);
    }
  }

  static void print(Console console, String datacenter, List<IndexProof.Result> results) {
    var table = Table.of("where", "index", "entries>", "looked at again>", "wrong>");
    results.forEach(
        r ->
            table.row(
                datacenter,
                r.label(),
                Texts.count(r.entries()),
                Texts.count(r.again()),
                Texts.count(r.offences())));
    console.table(table);
    results.forEach(r -> r.first().forEach(line -> console.line(r.label() + ": " + line)));
  }
}
