package io.cellmesh.cell;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A set of shards, written as ranges: {@code 0-31} or {@code 0-15,48-63,7}. */
public record ShardSet(List<Range> ranges) {
  private static final Pattern RANGE =
      Pattern.compile("\\s*(\\d{1,5})\\s*(?:-\\s*(\\d{1,5})\\s*)?");

  public ShardSet {
    ranges = List.copyOf(ranges);
  }

  /**
   * @throws TopologyException if the text is not a list of ranges
   */
  public static ShardSet parse(String text) {
    var ranges = new ArrayList<Range>();
    for (var part : text.split(",", -1)) {
      var matcher = RANGE.matcher(part);
      if (!matcher.matches()) {
        throw new TopologyException("shards: \"%s\" is not a range such as 0-31".formatted(part));
      }
      int first = Integer.parseInt(matcher.group(1));
      int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
      if (last < first) {
        throw new TopologyException("shards: the range \"%s\" runs backwards".formatted(part));
      }
      ranges.add(new Range(first, last));
    }
    return new ShardSet(ranges);
  }

  public boolean contains(int shard) {
    for (var range : ranges) {
      if (range.first() <= shard && shard <= range.last()) {
        return true;
      }
    }
    return false;
  }

  /** The shards, in the order of the ranges. */
  public IntStream stream() {
    return ranges.stream().flatMapToInt(r -> IntStream.rangeClosed(r.first(), r.last()));
  }

  @Override
  public String toString() {
    return ranges.stream().map(Range::toString).collect(Collectors.joining(","));
  }

  /** Both ends belong to it. */
  public record Range(int first, int last) {
    @Override
    public String toString() {
      return first == last ? Integer.toString(first) : first + "-" + last;
    }
  }
}
