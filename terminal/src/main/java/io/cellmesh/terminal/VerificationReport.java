package io.cellmesh.terminal;

import io.cellmesh.operations.status.PipelineHop;
import io.cellmesh.operations.verify.Check;
import io.cellmesh.operations.verify.CheckResult;
import io.cellmesh.operations.verify.Verification;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How a verification reads.
 *
 * @param behind the hops that had not fallen quiet
 */
public record VerificationReport(Verification verification, List<PipelineHop> behind) {

  /** Prints it, a line a check and data centre. */
  public void print(Console console) {
    var table = Table.of("check", "where", "counted", "");
    for (var result : verification.results()) {
      table.row(
          result.check().title(),
          result.datacenter(),
          text(result.counts()),
          result.passed()
              ? console.style(Style.GREEN, "✓")
              : console.style(Style.RED, "✗ " + Texts.count(result.offences())));
    }
    console.table(table);
    for (var result : verification.results()) {
      offences(console, result);
    }
    if (!behind.isEmpty()) {
      console.line(console.style(Style.YELLOW, "not quiet yet: ") + Texts.list(behind));
    }
    if (verification.moved()) {
      console.line(
          console.style(Style.YELLOW, "cells came in during the check")
              + ", so that it proves nothing and offences may be only that: run it again when nothing"
              + " is written");
    }
    console.line(
        verification.passed()
            ? console.style(Style.GREEN, "verified") + " in " + Texts.seconds(verification.took())
            : console.style(Style.RED, "not verified")
                + (total() > 0 ? ": " + Texts.count(total(), "offence") : "")
                + " in "
                + Texts.seconds(verification.took()));
  }

  /** One line a check, over all data centres. */
  public void printSummary(Console console) {
    var counts = new TreeMap<Check, Map<String, Long>>();
    for (var result : verification.results()) {
      var sums = counts.computeIfAbsent(result.check(), c -> new LinkedHashMap<>());
      result.counts().forEach((kind, count) -> sums.merge(kind, count, Long::sum));
    }
    var table = Table.of("", "", "");
    counts.forEach(
        (check, sums) -> table.row(console.style(Style.GREEN, "✓"), check.claim(), text(sums)));
    console.table(table);
  }

  /** The same for machines. */
  public Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("passed", verification.passed());
    document.put("seconds", verification.took().toMillis() / 1e3);
    document.put("written_meanwhile", verification.moved());
    document.put("behind", behind);
    document.put("checks", verification.results());
    return document;
  }

  /** How many offences all checks found. */
  public long total() {
    return verification.results().stream().mapToLong(CheckResult::offences).sum();
  }

  private static void offences(Console console, CheckResult result) {
    if (result.passed()) {
      return;
    }
    console.line();
    console.line(
        "%s in %s does not hold: %s"
            .formatted(
                console.style(Style.RED, result.check().title()),
                result.datacenter(),
                result.check().claim()));
    for (var offence : result.first()) {
      console.line("  " + console.style(Style.BOLD, offence.key()) + " " + offence.what());
    }
    if (result.offences() > result.first().size()) {
      console.line("  … and " + Texts.count(result.offences() - result.first().size()) + " more");
    }
  }

  private static String text(Map<String, Long> counts) {
    return counts.entrySet().stream()
        .filter(e -> e.getValue() > 0)
        .map(e -> Texts.count(e.getValue()) + " " + e.getKey())
        .collect(Collectors.joining(", "));
  }
}
