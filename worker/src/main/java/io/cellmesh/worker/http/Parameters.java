package io.cellmesh.worker.http;

import io.cellmesh.cell.Printable;
import io.cellmesh.cell.RecordPosition;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.Priority;
import io.cellmesh.worker.position.WaitFor;
import io.cellmesh.worker.read.CellReads.Terms;
import io.cellmesh.worker.read.ReadFrom;
import io.cellmesh.worker.site.Instance;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** The parameters that several routes have, each held to its rule; nothing unknown is let pass. */
final class Parameters {
  static final Set<String> OF_WRITES = Set.of("wait", "deadline");
  static final Set<String> OF_READS = Set.of("read", "not-before", "deadline");

  private static final int SHOWN = 48;
  private static final int USUAL_DEADLINE = 5_000;
  private static final int LAST_DEADLINE = 60_000;
  private static final int MOST_POSITIONS = 1_000;

  private final Context call;
  private final LongSupplier clock;

  /**
   * @param known the names that the route has
   * @throws ProblemException if there is another
   */
  Parameters(Context call, LongSupplier clock, Set<String> known) {
    this.call = call;
    this.clock = clock;
    for (var name : call.queryParamMap().keySet()) {
      if (!known.contains(name)) {
        throw invalid(name, "", "unknown; known are " + new TreeSet<>(known));
      }
    }
  }

  WaitFor waitFor() {
    return choice(
        "wait", WaitFor.VISIBLE, WaitFor::of, "not one of accepted, secured, visible, replicated");
  }

  ReadFrom readFrom() {
    return choice("read", ReadFrom.MASTER, ReadFrom::of, "not one of master, minion, any");
  }

  Priority priority() {
    var text = call.header(Headers.PRIORITY);
    return text == null
        ? Priority.NORMAL
        : Priority.of(text)
            .orElseThrow(() -> invalid(Headers.PRIORITY, text, "not one of high, normal, low"));
  }

  Deadline deadline() {
    long millis = integer("deadline").orElse(USUAL_DEADLINE);
    if (millis < 1 || millis > LAST_DEADLINE) {
      throw invalid("deadline", Long.toString(millis), "not 1 to 60000 milliseconds");
    }
    return Deadline.in(Duration.ofMillis(millis), clock);
  }

  Terms terms(Instance instance) {
    return new Terms(readFrom(), notBefore(instance), priority(), deadline());
  }

  /** A single value; empty if it is not given. */
  Optional<String> text(String name) {
    var values = call.queryParams(name);
    if (values.size() > 1) {
      throw invalid(name, values.get(1), "given more than once");
    }
    return values.stream().findFirst();
  }

  /** All values that are given. */
  List<String> texts(String name, int most) {
    var values = call.queryParams(name);
    if (values.size() > most) {
      throw invalid(name, "", "given more than " + most + " times");
    }
    return values;
  }

  OptionalLong integer(String name) {
    var text = text(name);
    try {
      return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text.get()));
    } catch (NumberFormatException e) {
      throw invalid(name, text.get(), "not a signed 64-bit integer");
    }
  }

  static ProblemException invalid(String field, String value, String rule) {
    var name = shortened(field);
    var detail = value.isEmpty() ? name : "%s = \"%s\"".formatted(name, shortened(value));
    return new ProblemException(Problem.invalid(name, detail + ": " + rule, rule));
  }

  /** Of a text that somebody sent, as much as a line of a log has room for. */
  static String shortened(String text) {
    boolean whole = text.codePointCount(0, text.length()) <= SHOWN;
    return Printable.of(whole ? text : text.substring(0, text.offsetByCodePoints(0, SHOWN)) + "…");
  }

  private Map<Integer, Long> notBefore(Instance instance) {
    var text = text("not-before");
    if (text.isEmpty()) {
      return Map.of();
    }
    var positions = text.get().split(",", -1);
    if (positions.length > MOST_POSITIONS) {
      throw invalid("not-before", "", "more than " + MOST_POSITIONS + " positions");
    }
    var offsets = new HashMap<Integer, Long>();
    Arrays.stream(positions)
        .map(one -> position("not-before", one, instance))
        .forEach(at -> offsets.merge(at.partition(), at.offset(), Math::max));
    return offsets;
  }

  /** The place of a record in the ingest topic, if it is given. */
  Optional<RecordPosition> position(Instance instance) {
    return text("position").map(text -> position("position", text, instance));
  }

  private static RecordPosition position(String name, String text, Instance instance) {
    var position =
        RecordPosition.parse(text)
            .orElseThrow(() -> invalid(name, text, "not a position DC:TOPIC:PARTITION:OFFSET"));
    if (position.partition() >= instance.topology().shards().partitions()
        || !instance.isOf(position)) {
      throw invalid(
          name, text, "a position of another data centre, or of a topic that was made again since");
    }
    return position;
  }

  private <T> T choice(String name, T usual, Function<String, Optional<T>> reading, String rule) {
    var text = text(name);
    return text.isEmpty()
        ? usual
        : reading.apply(text.get()).orElseThrow(() -> invalid(name, text.get(), rule));
  }
}
