package io.cellmesh.cell;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A set of transactions, as MySQL writes it: {@code uuid:1-66,uuid:1-3:5}, with tags from MySQL 8.3
 * on. Immutable.
 */
public final class GtidSet {
  public static final GtidSet EMPTY = new GtidSet(new TreeMap<>());

  private static final int TOLD_APART = 8;
  private static final int LONGEST_IN_A_MESSAGE = 300;

  private static final Pattern UUID =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
  private static final Pattern TAG = Pattern.compile("[A-Za-z_]\\w{0,31}");

  /** Disjoint intervals in rising order, by {@code uuid} or {@code uuid:tag}. */
  private final TreeMap<String, List<Interval>> sources;

  private record Interval(long first, long last) {}

  private GtidSet(TreeMap<String, List<Interval>> sources) {
    this.sources = sources;
  }

  /**
   * @throws IllegalArgumentException if it is no such set
   */
  public static GtidSet parse(String text) {
    var sources = new TreeMap<String, List<Interval>>();
    try {
      for (var part : text.strip().split("\\s*,\\s*")) {
        if (!part.isEmpty()) {
          parse(part, sources);
        }
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("\"" + shortened(text) + "\" is no set of GTIDs", e);
    }
    sources.replaceAll((source, intervals) -> merged(intervals));
    return new GtidSet(sources);
  }

  private static void parse(String part, Map<String, List<Interval>> sources) {
    var words = part.split("\\s*:\\s*");
    var uuid = words[0].toLowerCase(Locale.ROOT);
    var source = uuid;
    if (words.length < 2 || !UUID.matcher(uuid).matches()) {
      throw new NumberFormatException(part);
    }
    for (int i = 1; i < words.length; i++) {
      var word = words[i];
      if (TAG.matcher(word).matches()) {
        source = uuid + ":" + word.toLowerCase(Locale.ROOT);
      } else {
        int dash = word.indexOf('-');
        long first = Long.parseLong(dash < 0 ? word : word.substring(0, dash).strip());
        long last = dash < 0 ? first : Long.parseLong(word.substring(dash + 1).strip());
        if (first < 1 || last < first) {
          throw new NumberFormatException(word);
        }
        sources.computeIfAbsent(source, s -> new ArrayList<>()).add(new Interval(first, last));
      }
    }
  }

  public boolean isEmpty() {
    return sources.isEmpty();
  }

  public boolean containsAll(GtidSet others) {
    return others.without(this).isEmpty();
  }

  /** What is in either of them. */
  public GtidSet with(GtidSet others) {
    var both = new TreeMap<String, List<Interval>>(sources);
    others.sources.forEach(
        (source, intervals) ->
            both.merge(
                source,
                intervals,
                (one, other) -> {
                  var all = new ArrayList<>(one);
                  all.addAll(other);
                  return merged(all);
                }));
    return new GtidSet(both);
  }

  /** What is in this and not in the others. */
  public GtidSet without(GtidSet others) {
    var left = new TreeMap<String, List<Interval>>();
    sources.forEach(
        (source, intervals) -> {
          var remaining = intervals;
          for (var gone : others.sources.getOrDefault(source, List.of())) {
            remaining = remaining.stream().flatMap(i -> without(i, gone).stream()).toList();
          }
          if (!remaining.isEmpty()) {
            left.put(source, remaining);
          }
        });
    return new GtidSet(left);
  }

  /** Those of its transactions whose GTIDs have a tag. */
  public GtidSet tagged() {
    var tagged = new TreeMap<>(sources);
    tagged.keySet().removeIf(source -> source.indexOf(':') < 0);
    return new GtidSet(tagged);
  }

  /**
   * Those of its transactions that one server committed first.
   *
   * @param uuid its {@code server_uuid}
   */
  public GtidSet of(String uuid) {
    var server = uuid.toLowerCase(Locale.ROOT);
    var own = new TreeMap<>(sources);
    own.keySet().removeIf(s -> !s.equals(server) && !s.startsWith(server + ":"));
    return new GtidSet(own);
  }

  /** How many transactions it holds. */
  public long count() {
    return sources.values().stream()
        .flatMap(List::stream)
        .mapToLong(interval -> interval.last - interval.first + 1)
        .sum();
  }

  /** For a message: as much of each server's UUID as tells it from others. */
  public String brief() {
    var text =
        sources.entrySet().stream()
            .map(e -> abbreviated(e.getKey()) + ":" + text(e.getValue()))
            .collect(Collectors.joining(" "));
    return text.isEmpty() ? "none" : shortened(text);
  }

  @Override
  public String toString() {
    return sources.entrySet().stream()
        .map(e -> e.getKey() + ":" + text(e.getValue()))
        .collect(Collectors.joining(","));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GtidSet set && set.sources.equals(sources);
  }

  @Override
  public int hashCode() {
    return sources.hashCode();
  }

  private static List<Interval> without(Interval all, Interval gone) {
    var left = new ArrayList<Interval>(2);
    if (gone.last < all.first || gone.first > all.last) {
      left.add(all);
      return left;
    }
    if (all.first < gone.first) {
      left.add(new Interval(all.first, gone.first - 1));
    }
    if (all.last > gone.last) {
      left.add(new Interval(gone.last + 1, all.last));
    }
    return left;
  }

  private static List<Interval> merged(List<Interval> intervals) {
    var sorted = new ArrayList<>(intervals);
    sorted.sort(Comparator.comparingLong(Interval::first));
    var merged = new ArrayList<Interval>();
    for (var next : sorted) {
      var before = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (before != null && next.first <= before.last + 1) {
        merged.set(merged.size() - 1, new Interval(before.first, Math.max(before.last, next.last)));
      } else {
        merged.add(next);
      }
    }
    return List.copyOf(merged);
  }

  private static String text(List<Interval> intervals) {
    return intervals.stream()
        .map(i -> i.first == i.last ? Long.toString(i.first) : i.first + "-" + i.last)
        .collect(Collectors.joining(":"));
  }

  private static String abbreviated(String source) {
    int colon = source.indexOf(':');
    var uuid = colon < 0 ? source : source.substring(0, colon);
    var tag = colon < 0 ? "" : source.substring(colon);
    return (uuid.length() > TOLD_APART ? uuid.substring(0, TOLD_APART) + "…" : uuid) + tag;
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST_IN_A_MESSAGE
        ? text
        : text.substring(0, LONGEST_IN_A_MESSAGE) + "…";
  }
}
