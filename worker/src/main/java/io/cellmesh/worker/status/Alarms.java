package io.cellmesh.worker.status;

import io.cellmesh.operations.buffer.BufferView;
import io.cellmesh.operations.buffer.PrimaryView;
import io.cellmesh.worker.status.Alarm.Level;
import io.cellmesh.worker.status.StatusView.PartView;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds what is not well in what was seen, and the command that comes next. */
final class Alarms {
  /** Copies live for about two seconds, until the minions have what is in them. */
  private static final String MASTER = " master";

  private static final String MINION = " minion";
  private static final String SILENT = "does not answer";
  private static final Duration USUAL_WAIT = Duration.ofSeconds(10);

  private static final String STATUS = "cellmesh status";

  /** Of a command that is about one data centre; empty where there is one alone. */
  private final String dc;

  private final Optional<URI> connect;
  private final Instant now;
  private final List<Alarm> found = new ArrayList<>();

  /**
   * @param several whether the deployment has other data centres
   * @param connect where its Connect is reached, if that is known
   */
  Alarms(String datacenter, boolean several, Optional<URI> connect, Instant now) {
    this.dc = several ? " --dc " + datacenter : "";
    this.connect = connect;
    this.now = now;
  }

  /** The worst first. */
  List<Alarm> found() {
    return found.stream().sorted(Comparator.comparing(Alarm::level)).toList();
  }

  /**
   * Looks at the parts.
   *
   * @param minions by cluster of the data centre, those that could be promoted
   */
  Alarms parts(List<PartView> parts, Map<String, List<String>> minions, Optional<BufferView> held) {
    var masterless =
        parts.stream()
            .filter(part -> !part.up() && part.name().endsWith(MASTER))
            .map(part -> part.datacenter() + "/" + cluster(part))
            .collect(Collectors.toSet());
    for (var part : parts) {
      if (part.up()) {
        continue;
      }
      boolean waits =
          part.name().endsWith(MINION)
              && masterless.contains(part.datacenter() + "/" + cluster(part));
      if (waits) {
        found.add(waitsForMaster(part));
      } else {
        found.add(
            new Alarm(
                Level.DOWN,
                what(part),
                Optional.of(part.since()),
                part.atLeast(),
                part.detail().replaceFirst("^does not answer: ", "") + waiting(part, held),
                commands(part, minions)));
      }
    }
    return this;
  }

  /** One that hears nothing of its master is the one to promote, and none to take out. */
  private static Alarm waitsForMaster(PartView part) {
    boolean answers = !part.detail().startsWith(SILENT);
    return new Alarm(
        answers ? Level.NOTE : Level.DOWN,
        what(part),
        Optional.of(part.since()),
        part.atLeast(),
        part.detail().replaceFirst("^does not answer: ", "")
            + (answers ? "; its master is down" : "; so is its master"),
        List.of(STATUS));
  }

  /** Looks at what the buffers hold for longer than usual. */
  Alarms buffers(BufferView buffers) {
    for (var view : buffers.primaries()) {
      for (var gap : view.gaps()) {
        found.add(
            new Alarm(
                Level.DOWN,
                "%s: the offsets %s are in no buffer that answers".formatted(view.primary(), gap),
                Optional.empty(),
                false,
                "what follows them waits",
                List.of("cellmesh buffer ls --primary " + view.primary() + dc, check())));
      }
      if (view.masterUp() && view.gaps().isEmpty() && view.waits(USUAL_WAIT)) {
        found.add(waits(view));
      }
    }
    return this;
  }

  /** Records that nobody has any more. */
  Alarms missing(List<String> missing) {
    missing.forEach(
        text ->
            found.add(
                new Alarm(
                    Level.DOWN,
                    text,
                    Optional.empty(),
                    false,
                    "its cells wait",
                    List.of(check()))));
    return this;
  }

  /** What will do harm one day, and says itself what to do. */
  Alarms warnings(List<String> warnings) {
    warnings.forEach(
        text -> found.add(new Alarm(Level.NOTE, text, Optional.empty(), false, "", List.of())));
    return this;
  }

  /** Records that were refused in the last hour. */
  Alarms rejected(long count) {
    if (count > 0) {
      found.add(
          new Alarm(
              Level.NOTE,
              count == 1
                  ? "1 record was rejected in the last hour"
                  : String.format(Locale.ROOT, "%,d records were rejected in the last hour", count),
              Optional.empty(),
              false,
              "each stands under Refused with its reason",
              List.of()));
    }
    return this;
  }

  /** Something that could not be looked at. */
  Alarms unknown(String what, Looked<?> looked) {
    looked
        .failure()
        .ifPresent(
            why ->
                found.add(
                    new Alarm(
                        Level.NOTE,
                        what + " can't be told just now",
                        looked.failingSince(),
                        false,
                        why,
                        List.of(STATUS))));
    return this;
  }

  private Alarm waits(PrimaryView view) {
    boolean cells = view.waitingCells() > 0 && view.oldestWaitingMillis() > USUAL_WAIT.toMillis();
    long millis = cells ? view.oldestWaitingMillis() : view.oldestKeptMillis();
    var what =
        cells
            ? "%s: %s in the buffers".formatted(view.primary(), cellsWait(view.waitingCells()))
            : String.format(
                Locale.ROOT,
                "%s: copies of %,d cells are kept for minion %s",
                view.primary(),
                view.keptCells(),
                String.join(", ", view.keptFor()));
    return new Alarm(
        Level.WAITS,
        what,
        Optional.of(now.minusMillis(millis)),
        false,
        cells
            ? "they are secured, and become visible when the sink has written them"
            : "they are visible, and on two servers until that minion has them",
        List.of("cellmesh buffer show --primary " + view.primary() + dc));
  }

  private static String what(PartView part) {
    if (part.name().endsWith(MASTER) || part.name().endsWith(MINION)) {
      int space = part.name().lastIndexOf(' ');
      return "%s: %s %s of %s %s"
          .formatted(
              part.datacenter(),
              part.name().substring(space + 1),
              part.address(),
              part.name().substring(0, space),
              part.detail().startsWith(SILENT)
                  ? "does not answer"
                  : part.detail().startsWith("read-only") ? "takes no writes" : "is not well");
    }
    return "%s: %s %s does not do its work"
        .formatted(part.datacenter(), part.name(), part.address());
  }

  private static String waiting(PartView part, Optional<BufferView> held) {
    if (!part.name().endsWith(MASTER)) {
      return "";
    }
    var cluster = cluster(part);
    long cells =
        held.stream()
            .filter(view -> view.datacenter().equals(part.datacenter()))
            .flatMap(view -> view.primaries().stream())
            .filter(view -> view.primary().equals(cluster))
            .mapToLong(PrimaryView::waitingCells)
            .sum();
    return cells == 0
        ? "; what is written to its shards is buffered"
        : "; %s for it in the buffers".formatted(cellsWait(cells));
  }

  private static String cellsWait(long cells) {
    return cells == 1 ? "1 cell waits" : String.format(Locale.ROOT, "%,d cells wait", cells);
  }

  private List<String> commands(PartView part, Map<String, List<String>> minions) {
    var commands = new ArrayList<String>();
    switch (part.name()) {
      case "connector" -> connector(part, commands);
      case "connect", "kafka" -> commands.add("cellmesh deployment check");
      case "trigger" -> commands.add("cellmesh trigger status " + part.address() + dc);
      case "index-streams" -> commands.add("cellmesh index status");
      case "herb-replicator" -> commands.add("cellmesh mesh check");
      default -> server(part, minions, commands);
    }
    commands.add(STATUS);
    return commands;
  }

  private void connector(PartView part, List<String> commands) {
    if (part.detail().startsWith("is not there")) {
      commands.add("cellmesh connectors apply" + dc);
    } else {
      connect.ifPresent(
          url ->
              commands.add(
                  "curl -X POST '%s/connectors/%s/restart?includeTasks=true&onlyFailed=true'"
                      .formatted(url.toString().replaceFirst("/$", ""), part.address())));
    }
  }

  private void server(PartView part, Map<String, List<String>> minions, List<String> commands) {
    var cluster = cluster(part);
    if (part.detail().startsWith("not known")) {
      commands.add("cellmesh deployment check");
    } else if (part.name().endsWith(MINION)) {
      commands.add(
          "cellmesh minion remove --cluster %s --server %s%s"
              .formatted(cluster, part.address(), dc));
    } else if (part.detail().startsWith("read-only")) {
      commands.add(
          "cellmesh promote --cluster %s --to %s%s".formatted(cluster, part.address(), dc));
    } else {
      for (var minion : minions.getOrDefault(cluster, List.of())) {
        commands.add(
            "cellmesh promote --cluster %s --to %s%s --dry-run".formatted(cluster, minion, dc));
      }
    }
  }

  private String check() {
    return "cellmesh ingest check" + dc;
  }

  private static String cluster(PartView part) {
    int space = part.name().lastIndexOf(' ');
    return space < 0 ? part.name() : part.name().substring(0, space);
  }
}
