package io.cellmesh.stack.chaos.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cellmesh.operations.OperationException;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.stack.chaos.Account;
import io.cellmesh.stack.chaos.ChaosPlan;
import io.cellmesh.stack.chaos.ChaosResult;
import io.cellmesh.stack.chaos.FaultKind;
import io.cellmesh.stack.chaos.OthersHop;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A file with a line of JSON for each run of chaos: what was run, on which commit and machine, what
 * it counted and how it ended. A run that was interrupted leaves no line.
 */
public record ChaosLedger(Path file) {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final double P99 = 0.99;

  /** For how long faults were begun in all runs of a plan that have passed. */
  public Duration done(ChaosPlan plan) throws IOException {
    return runs(plan).stream()
        .filter(run -> run.path("passed").asBoolean())
        .map(run -> Duration.ofMillis(Math.round(run.path("seconds").asDouble() * 1e3)))
        .reduce(Duration.ZERO, Duration::plus);
  }

  /** The seed of the plan's last run that has passed; empty if there is none. */
  public OptionalLong lastSeed(ChaosPlan plan) throws IOException {
    return runs(plan).stream()
        .filter(run -> run.path("passed").asBoolean())
        .mapToLong(run -> run.path("seed").asLong())
        .reduce((before, last) -> last);
  }

  /** Adds a run that has come to its end, whichever. */
  public void add(ChaosPlan plan, long seed, ChaosResult result) throws IOException {
    var line = JSON.writeValueAsString(document(plan, seed, result)) + "\n";
    var begin = endsInLine() ? "" : "\n";
    Files.writeString(file, begin + line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private List<JsonNode> runs(ChaosPlan plan) throws IOException {
    var wanted = JSON.valueToTree(plan.document());
    var runs = new ArrayList<JsonNode>();
    if (!Files.exists(file)) {
      return runs;
    }
    int number = 0;
    for (var line : Files.readAllLines(file)) {
      number++;
      // One that was cut short by the machine's end counts for nothing.
      if (line.endsWith("}")) {
        var run = read(line, number);
        if (wanted.equals(run.path("plan"))) {
          runs.add(run);
        }
      }
    }
    return runs;
  }

  private JsonNode read(String line, int number) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw OperationException.invalid(
          "--ledger: %s, line %d: not a line of JSON".formatted(file, number));
    }
  }

  private boolean endsInLine() throws IOException {
    return !Files.exists(file)
        || Files.size(file) == 0
        || Files.readString(file, StandardCharsets.UTF_8).endsWith("\n");
  }

  private static Map<String, Object> document(ChaosPlan plan, long seed, ChaosResult result) {
    var line = new LinkedHashMap<String, Object>();
    line.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    line.put("commit", commit());
    line.put("processors", Runtime.getRuntime().availableProcessors());
    line.put("load", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    line.put("plan", plan.document());
    line.put("seed", seed);
    line.put("seconds", result.took().toMillis() / 1e3);
    line.put("faults", result.faults().size());
    line.put("struck", struck(result));
    line.put("pairs_met", result.met().size());
    line.put("met", met(result));
    line.put("secured", result.secured());
    line.put("lost", result.lost());
    line.put("reordered", result.reordered());
    line.put("repeated", result.repeated());
    line.put("phantom_rejections", result.sum(Account::phantom));
    line.put("misjudged", result.sum(Account::misjudged));
    line.put("conflicts_sent", result.conflicting());
    line.put("conflicts_reported", result.reported());
    line.put("unlike_the_peers", result.sum(Account::disagreeing));
    line.put("not_triggered", result.sum(Account::untriggered));
    line.put("reads", result.sessions().reads());
    line.put("stale_reads", result.sessions().stale());
    line.put("recovered_p99_seconds", recovered(result));
    result.agreed().ifPresent(agreed -> line.put("agreed_seconds", agreed.toMillis() / 1e3));
    agreedAtMost(result).ifPresent(most -> line.put("agreed_after_return_seconds", most));
    othersHop(result).ifPresent(times -> line.put("others_hop_times", times));
    line.put("beyond_bounds", result.beyondBounds().size());
    line.put("broken", result.broken());
    line.put("verified", result.verification().passed());
    line.put("passed", result.passed());
    return line;
  }

  /** How long after a data centre's return all had proved that they agree, at most. */
  private static OptionalDouble agreedAtMost(ChaosResult result) {
    return result.faults().stream()
        .flatMap(fault -> fault.agreed().stream())
        .mapToDouble(agreed -> agreed.toMillis() / 1e3)
        .max();
  }

  /** How many times as long as before cells took between others while one was away, at most. */
  private static OptionalDouble othersHop(ChaosResult result) {
    return result.faults().stream()
        .flatMap(fault -> fault.others().stream())
        .mapToDouble(OthersHop::times)
        .max();
  }

  private static Map<String, Long> struck(ChaosResult result) {
    var struck = new TreeMap<String, Long>();
    result.faults().forEach(fault -> struck.merge(fault.kind().label(), 1L, Long::sum));
    return struck;
  }

  /** Kinds as in {@code "cut + disk"}, and how often they were under way at the same time. */
  private static Map<String, Long> met(ChaosResult result) {
    var met = new LinkedHashMap<String, Long>();
    result
        .met()
        .forEach(
            (pair, times) -> met.put(pair.one().label() + " + " + pair.other().label(), times));
    return met;
  }

  private static Map<String, Double> recovered(ChaosResult result) {
    var recovered = new LinkedHashMap<String, Double>();
    for (var kind : FaultKind.values()) {
      result
          .recovered(kind, P99)
          .ifPresent(p99 -> recovered.put(kind.label(), p99.toMillis() / 1e3));
    }
    return recovered;
  }

  /** Of the checkout that this runs from; "unknown" for an archive. */
  private static String commit() {
    try {
      var git =
          new ProcessBuilder(
                  "git",
                  "-C",
                  StateDirectory.home().toString(),
                  "describe",
                  "--always",
                  "--dirty",
                  "--abbrev=12")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (var out = git.getInputStream()) {
        var said = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
        return said.isEmpty() ? "unknown" : said;
      }
    } catch (IOException e) {
      return "unknown";
    }
  }
}
