package io.cellmesh.e2e.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cellmesh.e2e.faults.FaultStack;
import io.cellmesh.e2e.faults.Figures;
import io.cellmesh.e2e.faults.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Random;

/** Whoever keeps the entries dies under load; the entries are those of the cells all the same. */
final class IndexFaults {
  private final FaultStack stack;
  private final IndexFigures figures;

  IndexFaults(FaultStack stack, IndexFigures figures) {
    this.stack = stack;
    this.figures = figures;
  }

  void killed() throws Exception {
    var random = new Random(Figures.seed());
    var topics = stack.topology().topics();
    try (var load = TripLoad.start(stack.bootstrap(), topics, 3 * figures.rate())) {
      var streams = stack.app("dc1-index-streams");
      for (int kill = 0; kill < figures.kills(); kill++) {
        flow(Duration.ofMillis(1_000 + random.nextInt(2_000)));
        streams.kill();
        if (kill == figures.kills() / 2) {
          wipe(stack.directory().resolve("dc1-index-streams"));
        }
        streams.start();
        streams.awaitReady();
      }
      var worker = stack.workerOf(connector(), 0);
      worker.kill();
      flow(Duration.ofSeconds(3));
      stack.bringBack(worker);
      Report.line(
          "index: index-streams killed %d times, its state wiped once, a sink's worker killed; %d cells meanwhile",
          figures.kills(), load.accepted());
    }
    for (var words : new String[][] {{"verify"}, {"index", "verify"}}) {
      var command = stack.command(words);
      Report.line("%s", command.out());
      assertThat(command.exit()).as(command.out() + command.err()).isZero();
    }
  }

  /** One that writes entries. */
  private String connector() {
    return stack.connect().connectors().stream()
        .filter(name -> name.startsWith("trips-index-sink-"))
        .findFirst()
        .orElseThrow();
  }

  private static void flow(Duration time) {
    await().atMost(time.plusSeconds(1)).pollDelay(time).until(() -> true);
  }

  private static void wipe(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
