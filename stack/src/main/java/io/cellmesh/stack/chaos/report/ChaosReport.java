package io.cellmesh.stack.chaos.report;

import io.cellmesh.stack.chaos.Account;
import io.cellmesh.stack.chaos.ChaosResult;
import io.cellmesh.stack.chaos.FaultKind;
import io.cellmesh.stack.chaos.OthersHop;
import io.cellmesh.stack.chaos.SessionCounts;
import io.cellmesh.stack.chaos.Struck;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Style;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import io.cellmesh.terminal.VerificationReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How a run of chaos reads. */
public record ChaosReport(long seed, ChaosResult result) {
  private static final double P50 = 0.5;
  private static final double P99 = 0.99;

  /** Prints it. */
  public void print(Console console) {
    console.heading("Faults by kind");
    var kinds = Table.of("kind", "times>", "recovered p50>", "p99>", "bound>", "counted from");
    for (var kind : FaultKind.values()) {
      long times = times(kind);
      if (times > 0) {
        kinds.row(
            kind.label(),
            times,
            Texts.seconds(result.recovered(kind, P50).orElseThrow()),
            Texts.seconds(result.recovered(kind, P99).orElseThrow()),
            Texts.seconds(kind.bound()),
            kind.clock());
      }
    }
    console.table(kinds);
    others(console);
    met(console);
    console.heading("Cells");
    var cells = Table.of("", ">");
    cells.row("secured", Texts.count(result.secured()));
    cells.row("lost", judged(console, result.lost(), result.lost() == 0));
    cells.row("put out of order", judged(console, result.reordered(), result.reordered() == 0));
    cells.row(
        "repeated in the log",
        judged(console, result.repeated(), result.repeated() == 0 || !result.exactlyOnce()));
    cells.row("conflicts sent", Texts.count(result.conflicting()));
    cells.row(
        "conflicts reported",
        judged(console, result.reported(), result.reported() == result.conflicting()));
    var sessions = result.sessions();
    if (sessions.writes() + sessions.reads() > 0) {
      cells.row("written through the worker", Texts.count(sessions.writes()));
      cells.row("read through the worker", Texts.count(sessions.reads()));
      cells.row("reads without an answer, repeated", Texts.count(sessions.readsFailed()));
      cells.row("stale reads", judged(console, sessions.stale(), sessions.stale() == 0));
    }
    cells.row("deleted from Kafka once secured", Texts.count(result.expired()));
    cells.row("longest way to the tables", Texts.seconds(result.longestStored()));
    cells.row("longest way to the log", Texts.seconds(result.longestLogged()));
    result
        .agreed()
        .ifPresent(proved -> cells.row("then proved to agree within", Texts.seconds(proved)));
    console.table(cells);
    accounts(console);
    console.heading("Verify");
    new VerificationReport(result.verification(), List.of()).print(console);
    console.line();
    for (var struck : result.beyondBounds()) {
      for (var why : why(struck)) {
        console.line(
            "%s%d %s: %s"
                .formatted(
                    result.strict() ? console.style(Style.RED, "✗ ") : "",
                    struck.number(),
                    struck.kind().label(),
                    why));
      }
    }
    result.broken().forEach(line -> console.line(console.style(Style.RED, "✗ ") + line));
    console.line(
        "%s: %s in %s, seed %d"
            .formatted(
                result.passed()
                    ? console.style(Style.GREEN, "passed")
                    : console.style(Style.RED, "failed"),
                Texts.count(result.faults().size(), "fault"),
                Texts.age(result.took().toMillis()),
                seed));
  }

  /** What of a fault was felt more than it may be. */
  private static List<String> why(Struck struck) {
    var why = new ArrayList<String>();
    if (struck.isBeyondBound()) {
      why.add(
          "cells were late for %s, and %s is the bound"
              .formatted(Texts.seconds(struck.recovered()), Texts.seconds(struck.bound())));
    }
    if (struck.isAgreedLate()) {
      why.add(
          "all agreed %s after its return, and %s is the bound"
              .formatted(
                  Texts.seconds(struck.agreed().orElseThrow()),
                  Texts.seconds(Struck.AGREED_WITHIN)));
    }
    if (struck.hasDelayedOthers()) {
      why.add(
          String.format(
              Locale.ROOT,
              "the others' hop took %.1f times as long as before, and %d is the bound",
              struck.others().orElseThrow().times(),
              OthersHop.AT_MOST));
    }
    return why;
  }

  private void others(Console console) {
    var struck = result.faults().stream().filter(fault -> fault.agreed().isPresent()).toList();
    if (!struck.isEmpty()) {
      console.heading("The others' hop, p99, while a data centre was away, and when all agreed");
      var table =
          Table.of(
              "",
              "kind",
              "victim",
              "lasted>",
              "before>",
              "away>",
              "coming back>",
              "all agree after>");
      for (var fault : struck) {
        var hop = fault.others();
        table.row(
            fault.number(),
            fault.kind().label(),
            fault.victim(),
            Texts.seconds(fault.lasted()),
            hop.map(OthersHop::before).map(Texts::seconds).orElse(""),
            hop.map(OthersHop::away).map(Texts::seconds).orElse(""),
            hop.map(OthersHop::coming).map(Texts::seconds).orElse(""),
            Texts.seconds(fault.agreed().orElseThrow()));
      }
      console.table(table);
    }
  }

  private void met(Console console) {
    if (!result.met().isEmpty()) {
      console.heading("Faults that met");
      var table = Table.of("kind", "kind", "times>");
      result.met().forEach((m, times) -> table.row(m.one().label(), m.other().label(), times));
      console.table(table);
    }
  }

  private void accounts(Console console) {
    console.heading("What became of each record");
    var table =
        Table.of(
            "",
            "records>",
            "cells>",
            "lost>",
            "out of order>",
            "rejected>",
            "stored, told as rejected>",
            "compared>",
            "misjudged>",
            "told again>",
            "told anew>",
            "told as another>",
            "unlike the peers>",
            "not at the trigger>",
            "at it out of order>");
    for (var account : result.accounts()) {
      table.row(
          account.datacenter(),
          Texts.count(account.records()),
          Texts.count(account.cells()),
          judged(console, account.lost(), account.lost() == 0),
          judged(console, account.reordered(), account.reordered() == 0),
          Texts.count(account.rejected()),
          judged(console, account.phantom(), account.phantom() == 0),
          Texts.count(account.compared()),
          judged(console, account.misjudged(), account.misjudged() == 0),
          Texts.count(account.toldAgain()),
          Texts.count(account.rebuilt()),
          judged(console, account.toldOtherwise(), account.toldOtherwise() == 0),
          judged(console, account.disagreeing(), account.disagreeing() == 0),
          judged(console, account.untriggered(), account.untriggered() == 0),
          judged(console, account.triggeredLate(), account.triggeredLate() == 0));
    }
    console.table(table);
  }

  /** The same for machines. */
  public Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("passed", result.passed());
    document.put("seed", seed);
    document.put("exactly_once", result.exactlyOnce());
    document.put("seconds", seconds(result.took()));
    document.put("secured", result.secured());
    document.put("lost", result.lost());
    document.put("reordered", result.reordered());
    document.put("repeated", result.repeated());
    document.put("conflicts_sent", result.conflicting());
    document.put("conflicts_reported", result.reported());
    document.put("phantom_rejections", result.sum(Account::phantom));
    document.put("rejections_compared", result.sum(Account::compared));
    document.put("misjudged", result.sum(Account::misjudged));
    document.put("told_again", result.sum(Account::toldAgain));
    document.put("told_as_another", result.sum(Account::toldOtherwise));
    document.put("unlike_the_peers", result.sum(Account::disagreeing));
    put(document, result.sessions());
    document.put("deleted_once_secured", result.expired());
    document.put("not_triggered", result.sum(Account::untriggered));
    document.put("triggered_out_of_order", result.sum(Account::triggeredLate));
    document.put("datacenters", result.accounts().stream().map(ChaosReport::document).toList());
    document.put("longest_to_tables_seconds", seconds(result.longestStored()));
    document.put("longest_to_log_seconds", seconds(result.longestLogged()));
    result.agreed().ifPresent(agreed -> document.put("agreed_seconds", seconds(agreed)));
    document.put("strict", result.strict());
    document.put("beyond_bounds", result.beyondBounds().size());
    document.put(
        "met",
        result.met().entrySet().stream()
            .map(
                met ->
                    Map.of(
                        "kinds",
                        List.of(met.getKey().one().label(), met.getKey().other().label()),
                        "times",
                        met.getValue()))
            .toList());
    document.put("broken", result.broken());
    document.put("faults", result.faults().stream().map(ChaosReport::document).toList());
    document.put(
        "verification", new VerificationReport(result.verification(), List.of()).document());
    return document;
  }

  private static Map<String, Object> document(Account account) {
    var document = new LinkedHashMap<String, Object>();
    document.put("name", account.datacenter());
    document.put("records", account.records());
    document.put("cells", account.cells());
    document.put("lost", account.lost());
    document.put("reordered", account.reordered());
    document.put("repeated", account.repeated());
    document.put("rejected", account.rejected());
    document.put("phantom_rejections", account.phantom());
    document.put("compared", account.compared());
    document.put("misjudged", account.misjudged());
    document.put("told_again", account.toldAgain());
    document.put("told_anew", account.rebuilt());
    document.put("told_as_another", account.toldOtherwise());
    document.put("unlike_the_peers", account.disagreeing());
    document.put("not_triggered", account.untriggered());
    document.put("triggered_out_of_order", account.triggeredLate());
    return document;
  }

  private static Map<String, Object> document(Struck struck) {
    var document = new LinkedHashMap<String, Object>();
    document.put("number", struck.number());
    document.put("kind", struck.kind().label());
    document.put("victim", struck.victim());
    document.put("at_seconds", seconds(struck.at()));
    document.put("lasted_seconds", seconds(struck.lasted()));
    document.put("recovered_seconds", seconds(struck.recovered()));
    document.put("bound_seconds", seconds(struck.bound()));
    document.put("counted_from", struck.kind().clock().toString());
    put(document, struck.sessions());
    struck.agreed().ifPresent(agreed -> document.put("agreed_seconds", seconds(agreed)));
    struck
        .others()
        .ifPresent(
            hop -> {
              document.put("others_hop_p99_before_seconds", seconds(hop.before()));
              document.put("others_hop_p99_away_seconds", seconds(hop.away()));
              document.put("others_hop_p99_coming_back_seconds", seconds(hop.coming()));
            });
    return document;
  }

  private static void put(Map<String, Object> document, SessionCounts sessions) {
    document.put("writes", sessions.writes());
    document.put("writes_failed", sessions.writesFailed());
    document.put("reads", sessions.reads());
    document.put("reads_failed", sessions.readsFailed());
    document.put("stale_reads", sessions.stale());
  }

  private long times(FaultKind kind) {
    return result.faults().stream().filter(struck -> struck.kind() == kind).count();
  }

  private static String judged(Console console, long count, boolean good) {
    return console.style(good ? Style.GREEN : Style.RED, Texts.count(count));
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1e3;
  }
}
