package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.operations.IndexFile;
import io.cellmesh.operations.index.BuildMonitor;
import io.cellmesh.operations.index.IndexBuild;
import io.cellmesh.operations.index.IndexBuild.Source;
import io.cellmesh.operations.verify.IndexProof;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.storage.index.IndexVersion.State;
import io.cellmesh.terminal.Console;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code index create}. */
@Command(
    name = "create",
    header = "Build indexes beside whatever serves.",
    description = {
      "Makes the tables, topics and connector, has index-streams read the log from its beginning "
          + "(and the entity tables, where the log no longer has every cell), waits until the tables "
          + "have caught up, and compares them with the cells. Indexes given together are kept by one "
          + "pass over the log and written by one connector.",
      "",
      "The first version of an index then serves queries. A later one (`version: 2` in the file) is "
          + "ready, and `cellmesh index switch` turns queries to it. Nobody sees it before.",
      "",
      "After an interruption the same command goes on where it was. Ends with 1 if the comparison "
          + "finds a difference."
    })
final class IndexCreateCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private IndexTarget target;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "Index definitions.")
  private List<Path> files;

  @Option(
      names = "--from",
      paramLabel = "SOURCE",
      defaultValue = "auto",
      description =
          "auto, log or tables: where the cells come from that are there already (default: auto, "
              + "which is the log as long as it has its first records).")
  private Source source;

  @Mixin private OwnedConnectors owned;

  IndexCreateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    var definitions = IndexFile.definitions(files);
    try (var open = target.open()) {
      var templates = StateDirectory.home().resolve("connectors");
      var builds = new ArrayList<IndexBuild>();
      for (var site : open.sites()) {
        owned.requirePaused(site.dc());
        builds.add(IndexBuild.of(site, templates, definitions, source));
      }
      return build(builds) ? ExitCodes.OK : ExitCodes.FAILED;
    }
  }

  /** All data centres begin before the first is waited for. */
  private boolean build(List<IndexBuild> builds) throws Exception {
    var backfilled = new HashMap<IndexBuild, Boolean>();
    for (var build : builds) {
      if (build.isBuilding()) {
        var where = build.site().dc().name();
        console.steps().run(where + ": tables, topics, connectors", build::prepare);
        owned.handOver(console, build.site().dc());
        backfilled.put(build, build.begin());
      }
    }
    boolean passed = true;
    for (var build : builds) {
      if (build.isBuilding()) {
        fill(build, backfilled.get(build));
        build.reached(State.VERIFYING);
      }
      passed &= finish(build);
    }
    return passed;
  }

  private boolean finish(IndexBuild build) throws SQLException, InterruptedException {
    var where = build.site().dc().name();
    var results = verify(build, where);
    IndexVerifyCommand.print(console, where, results);
    if (!results.stream().allMatch(IndexProof.Result::passed)) {
      return false;
    }
    for (var version : build.finish()) {
      console.line(where + ": " + outcome(version));
      IndexStatusCommand.skew(build.site(), version.definition())
          .ifPresent(warning -> console.line(where + ": warning: " + warning));
    }
    return true;
  }

  private void fill(IndexBuild build, boolean backfilled)
      throws SQLException, InterruptedException {
    var where = build.site().dc().name();
    if (backfilled) {
      int shards = build.site().dc().topology().shards().count();
      try (var bar = console.progress(where + ": shards read", shards)) {
        build.backfill().run(bar::set);
      }
    }
    try (var watch = build.watch(backfilled)) {
      try (var bar = console.progress(where + ": cells read", watch.total())) {
        watch.awaitRead(bar::set);
      }
      var entries = watch.entries();
      try (var bar = console.progress(where + ": entries written", BuildMonitor.total(entries))) {
        watch.awaitWritten(entries, bar::set);
      }
    }
  }

  private List<IndexProof.Result> verify(IndexBuild build, String where)
      throws SQLException, InterruptedException {
    int partitions = build.site().dc().topology().shards().partitions();
    try (var bar = console.progress(where + ": comparing with the cells", partitions)) {
      return build.verify(bar::set);
    }
  }

  private static String outcome(IndexVersion version) {
    return version.isServing()
        ? version.label() + " serves"
        : "%s is ready; `cellmesh index switch %s --to %d` turns queries to it"
            .formatted(version.label(), version.name(), version.version());
  }
}
