package io.cellmesh.e2e.reliability;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.yaml.YamlTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The part of {@code docs/reliability.md} that the runs write: what was run, on what, for how long,
 * and what came of it. What has no ledger yet is left out.
 */
final class ReliabilityPage {
  private static final String BEGIN = "<!-- e2e/bin/reliability: begin -->\n";
  private static final String END = "<!-- e2e/bin/reliability: end -->\n";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final StringBuilder text = new StringBuilder();

  private ReliabilityPage() {}

  /**
   * Writes the page anew.
   *
   * @param arguments the checkout
   */
  public static void main(String[] arguments) throws IOException {
    var home = Path.of(arguments[0]);
    var file = home.resolve("docs/reliability.md");
    var written =
        part(
            lines(home.resolve("e2e/chaos.jsonl")),
            lines(home.resolve("connect-sink/simulations.csv")),
            Files.readString(home.resolve("e2e/mutations.yaml")),
            Files.readString(home.resolve("e2e/found.yaml")));
    Files.writeString(file, replaced(Files.readString(file), written));
  }

  /**
   * A page with its part in place of the one before.
   *
   * @throws IllegalArgumentException if the page does not say where
   */
  static String replaced(String page, String part) {
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException("the page lacks the lines " + BEGIN + END);
    }
    return page.substring(0, begin + BEGIN.length()) + part + page.substring(end);
  }

  /**
   * The part.
   *
   * @param chaos lines of JSON, as {@code cellmesh chaos --ledger} writes them
   * @param simulations lines of {@code connect-sink/simulations.csv} with their head
   * @param mutations {@code e2e/mutations.yaml}
   * @param found {@code e2e/found.yaml}
   * @throws IllegalArgumentException naming a line that is not as it must be
   */
  static String part(List<String> chaos, List<String> simulations, String mutations, String found) {
    var page = new ReliabilityPage();
    var runs = new ArrayList<JsonNode>();
    for (var line : chaos) {
      runs.add(json(line));
    }
    page.chaos(runs);
    page.simulations(simulations);
    page.mutations(mutations);
    page.found(found);
    return page.text.toString();
  }

  private void chaos(List<JsonNode> runs) {
    line("## Chaos");
    line("");
    if (runs.isEmpty()) {
      line("No run has been kept yet.");
      line("");
      return;
    }
    var plans = new LinkedHashMap<String, List<JsonNode>>();
    runs.forEach(run -> plans.computeIfAbsent(plan(run), p -> new ArrayList<>()).add(run));
    line(
        "| stack | seeds | minutes | faults | cells | reads | lost | reordered | phantom rejections | stale reads | not passed |");
    line("|---|---|---|---|---|---|---|---|---|---|---|");
    plans.forEach((plan, of) -> line(row(plan, of)));
    line(row("**all**", runs));
    line("");
    line(
        "On %s. The load of a machine is what its operating system says at the end of a run: the processes that want a processor, whoever they are of."
            .formatted(machines(runs)));
    line("");
    kinds(runs);
    pairs(runs);
  }

  private static String plan(JsonNode run) {
    var plan = run.path("plan");
    return "%d data centre%s, %d broker%s, %d at once, %d cells/s, %s"
        .formatted(
            plan.path("datacenters").asInt(1),
            plan.path("datacenters").asInt(1) == 1 ? "" : "s",
            plan.path("brokers").asInt(1),
            plan.path("brokers").asInt(1) == 1 ? "" : "s",
            plan.path("at_once").asInt(1),
            plan.path("rate").asInt(),
            plan.path("exactly_once").asBoolean() ? "exactly once" : "at least once");
  }

  private static String row(String plan, List<JsonNode> runs) {
    var failed = runs.stream().filter(run -> !run.path("passed").asBoolean()).toList();
    return "| %s | %s | %.0f | %d | %,d | %,d | %d | %d | %d | %d | %s |"
        .formatted(
            plan,
            runs.size() > 12 ? Integer.toString(runs.size()) : seeds(runs),
            runs.stream().mapToDouble(run -> run.path("seconds").asDouble()).sum() / 60,
            sum(runs, "faults"),
            sum(runs, "secured"),
            sum(runs, "reads"),
            sum(runs, "lost"),
            sum(runs, "reordered"),
            sum(runs, "phantom_rejections"),
            sum(runs, "stale_reads"),
            failed.isEmpty() ? "0" : failed.size() + ": " + seeds(failed));
  }

  private static String seeds(List<JsonNode> runs) {
    return String.join(", ", runs.stream().map(run -> run.path("seed").asText()).toList());
  }

  private static String machines(List<JsonNode> runs) {
    var loads = runs.stream().mapToDouble(run -> run.path("load").asDouble(-1)).filter(l -> l >= 0);
    var processors =
        runs.stream().map(run -> run.path("processors").asText()).distinct().sorted().toList();
    var summary = loads.summaryStatistics();
    return "machines of %s processors%s"
        .formatted(
            String.join(" and ", processors),
            summary.getCount() == 0
                ? ""
                : ", with a load of %.0f to %.0f".formatted(summary.getMin(), summary.getMax()));
  }

  /** How often each kind was there, and how long it was felt. */
  private void kinds(List<JsonNode> runs) {
    var times = new TreeMap<String, Long>();
    var recovered = new TreeMap<String, List<Double>>();
    for (var run : runs) {
      for (var kind : run.path("struck").properties()) {
        times.merge(kind.getKey(), kind.getValue().asLong(), Long::sum);
      }
      for (var kind : run.path("recovered_p99_seconds").properties()) {
        recovered
            .computeIfAbsent(kind.getKey(), k -> new ArrayList<>())
            .add(kind.getValue().asDouble());
      }
    }
    line("| kind of fault | times | cells late for, median of the runs | at most |");
    line("|---|---|---|---|");
    recovered.forEach(
        (kind, seconds) -> {
          var sorted = seconds.stream().sorted().toList();
          line(
              "| `%s` | %s | %.1f s | %.1f s |"
                  .formatted(
                      kind,
                      Optional.ofNullable(times.get(kind)).map(n -> Long.toString(n)).orElse(""),
                      sorted.get(sorted.size() / 2),
                      sorted.get(sorted.size() - 1)));
        });
    line("");
  }

  private void pairs(List<JsonNode> runs) {
    var pairs = new TreeMap<String, Long>();
    for (var run : runs) {
      for (var pair : run.path("met").properties()) {
        pairs.merge(pair.getKey(), pair.getValue().asLong(), Long::sum);
      }
    }
    line("%d pairs of kinds were under way at the same time:".formatted(pairs.size()));
    line("");
    line(
        pairs.isEmpty()
            ? "none."
            : String.join(
                ", ",
                pairs.entrySet().stream()
                    .map(pair -> pair.getKey() + " " + pair.getValue())
                    .toList()));
    line("");
  }

  private void simulations(List<String> lines) {
    line("## Simulation");
    line("");
    long schedules = 0;
    long wrong = 0;
    long seconds = 0;
    for (var row : lines.stream().skip(1).toList()) {
      var fields = row.split(",", -1);
      if (fields.length < 6) {
        throw new IllegalArgumentException(
            "simulations: \"%s\" has less than 6 fields".formatted(row));
      }
      schedules += Long.parseLong(fields[3]);
      wrong += Long.parseLong(fields[4]);
      seconds += Long.parseLong(fields[5]);
    }
    line(
        String.format(
            Locale.ROOT,
            "%,d schedules in %d runs of %.0f minutes together (%,d a minute); %d went wrong.",
            schedules,
            Math.max(0, lines.size() - 1),
            seconds / 60.0,
            seconds == 0 ? 0 : schedules * 60 / seconds,
            wrong));
    line("");
  }

  private void mutations(String yaml) {
    var root = YamlTree.parse("the list of mutations", yaml).mapping("the list");
    var counts = new TreeMap<Integer, Integer>();
    var list = root.list("mutations");
    for (var item : list) {
      counts.merge(
          Integer.valueOf(item.mapping("a mutation").text("breaks").text()), 1, Integer::sum);
    }
    var named = root.required("invariants").mapping("invariants");
    line("## Mutations");
    line("");
    line(
        "%d breakages of single lines, each killed by the test that is named for it:"
            .formatted(list.size()));
    line("");
    line("| invariant | breakages |");
    line("|---|---|");
    counts.forEach(
        (number, count) ->
            line(
                "| %d, %s | %d |"
                    .formatted(number, named.text(Integer.toString(number)).text(), count)));
    line("");
  }

  private void found(String yaml) {
    line("## What it found");
    line("");
    line("| found by | seed | what was wrong | since |");
    line("|---|---|---|---|");
    for (var item : YamlTree.parse("what was found", yaml).mapping("the list").list("found")) {
      var one = item.mapping("one");
      line(
          "| %s | %s | %s | %s |"
              .formatted(
                  one.text("by").text(),
                  one.text("seed").text(),
                  one.text("what").text(),
                  one.text("mended").text()));
    }
    line("");
  }

  private static long sum(List<JsonNode> runs, String field) {
    return runs.stream().mapToLong(run -> run.path(field).asLong()).sum();
  }

  private static JsonNode json(String line) {
    try {
      return JSON.readTree(line);
    } catch (IOException e) {
      throw new IllegalArgumentException("chaos: not a line of JSON: " + line, e);
    }
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file)
        ? Files.readAllLines(file).stream().filter(line -> !line.isBlank()).toList()
        : List.of();
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}
