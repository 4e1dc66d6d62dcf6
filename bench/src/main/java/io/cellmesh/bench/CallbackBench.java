package io.cellmesh.bench;

import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.Progress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Triggers beside a plain consumer and Confluent's Parallel Consumer: everybody reads the same log,
 * one after the other.
 */
public final class CallbackBench {
  private final CallbackPlan plan;
  private final Progress progress;

  public CallbackBench(CallbackPlan plan, Progress progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /** Takes some minutes with a million cells. */
  public CallbackFigures run() throws Exception {
    try (var servers = CallbackServers.start(progress);
        var cells = new LogCells()) {
      progress.step("a log of %,d cells".formatted(plan.cells()));
      servers.write(cells, plan.cells());
      var processes = new CallbackProcesses(servers, plan.cells());
      var results = rounds(processes);
      var profiles = plan.profile() ? profiles(processes) : List.<Profile>of();
      var paces = paces(servers);
      progress.step("latency at %,d cells/s".formatted(CallbackLatency.RATE));
      Processor.awaitQuiet();
      var latencies = new CallbackLatency(servers, cells, plan).measure();
      return new CallbackFigures(
          Machine.here(), versions(processes), results, paces, latencies, profiles);
    }
  }

  /** Who is first in one round is last in the next. */
  private List<Result> rounds(CallbackProcesses processes) throws Exception {
    var rounds = new EnumMap<CallbackContestant, List<Round>>(CallbackContestant.class);
    var order = new ArrayList<>(Arrays.asList(CallbackContestant.values()));
    for (int number = 1; number <= plan.rounds(); number++) {
      progress.step("round %d of %d".formatted(number, plan.rounds()));
      for (var contestant : order) {
        Processor.awaitQuiet();
        var round = processes.round(contestant);
        progress.step(contestant.text() + ": " + round);
        rounds.computeIfAbsent(contestant, c -> new ArrayList<>()).add(round);
      }
      Collections.reverse(order);
    }
    return rounds.entrySet().stream()
        .map(e -> new Result(e.getKey().text(), CallbackServers.SHARDS.count(), e.getValue()))
        .toList();
  }

  private static List<Profile> profiles(CallbackProcesses processes) throws Exception {
    return List.of(
        processes.profile(CallbackContestant.OURS), processes.profile(CallbackContestant.PLAIN));
  }

  private List<PaceFigures> paces(CallbackServers servers) throws Exception {
    var pace = new CallbackPace(servers, plan);
    var paces = new ArrayList<PaceFigures>();
    for (int threads : List.of(1, CallbackServers.SHARDS.count())) {
      progress.step("callbacks that wait, threads: " + threads);
      paces.add(pace.measure(threads));
    }
    return paces;
  }

  private static Map<String, String> versions(CallbackProcesses processes) throws Exception {
    var versions = new LinkedHashMap<String, String>();
    versions.put("Java", Runtime.version().toString());
    versions.put("Kafka", CellmeshHome.kafkaVersion());
    versions.put("Parallel Consumer", processes.parallelConsumerVersion());
    return versions;
  }
}
