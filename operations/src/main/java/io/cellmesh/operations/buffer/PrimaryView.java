package io.cellmesh.operations.buffer;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.cellmesh.cell.Topics;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.storage.BufferListing.ListedCopy;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.LaneReach;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What the buffers hold for one primary.
 *
 * @param positionOf the server whose position decides what waits; empty if none of the cluster's
 *     answers, and then everything counts as waiting
 * @param waitingCells secured and not visible; where copies overlap in part a few are counted twice
 * @param oldestWaitingMillis for how long the oldest of them waits
 * @param keptCells visible, and kept until the minions have them
 * @param keptFor those minions
 * @param oldestKeptMillis for how long the oldest of them is kept for a minion that lacks it
 * @param gaps what stands still, because no buffer that answers has it
 * @param held what lies where
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record PrimaryView(
    String primary,
    String master,
    boolean masterUp,
    String positionOf,
    long waitingCells,
    long oldestWaitingMillis,
    long keptCells,
    List<String> keptFor,
    long oldestKeptMillis,
    List<MissingRecords> gaps,
    List<Row> held) {

  /**
   * The copies of one topic and partition on one secondary.
   *
   * @param records the topic and partition
   * @param from where the first of them begins
   * @param to the offset after the last record that they cover
   * @param waitingCopies those that are not wholly in the entity tables
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Row(
      String secondary,
      String records,
      long from,
      long to,
      long copies,
      long cells,
      long waitingCopies,
      long waitingCells,
      long oldestMillis) {}

  static PrimaryView of(Topics topics, ClusterPositions positions, List<SecondaryCopy> held) {
    long waiting = 0;
    long oldest = 0;
    long kept = 0;
    long oldestKept = 0;
    var keptFor = new ArrayList<Server>();
    var gaps = new ArrayList<MissingRecords>();
    var rows = new ArrayList<Row>();
    for (var lane : lanes(held).entrySet()) {
      var topic = lane.getKey().topic();
      int partition = lane.getKey().partition();
      var records = records(topics, topic, partition);
      var copies = lane.getValue().stream().map(SecondaryCopy::copy).toList();
      var known = positions.applied(topic, partition);
      long applied =
          known.orElse(copies.stream().mapToLong(ListedCopy::previous).min().orElseThrow());
      var reach = LaneReach.of(copies, applied);
      waiting += reach.waitingCells();
      oldest = Math.max(oldest, reach.oldestMillis());
      if (known.isPresent()) {
        reach.gaps().forEach(gap -> gaps.add(new MissingRecords(records, gap.from(), gap.to())));
      }
      for (var copy : copies) {
        if (copy.next() <= applied && copy.cells() > 0) {
          kept += copy.cells();
          var lacking = positions.lacking(topic, partition, copy.next());
          keptFor.addAll(lacking);
          oldestKept = Math.max(oldestKept, lacking.isEmpty() ? 0 : copy.ageMillis());
        }
      }
      rows.addAll(rows(records, lane.getValue(), applied));
    }
    var cluster = positions.cluster();
    return new PrimaryView(
        cluster.name(),
        cluster.master().address(),
        positions.masterUp(),
        positions.told().map(Server::address).orElse(""),
        waiting,
        oldest,
        kept,
        keptFor.stream().map(Server::address).distinct().sorted().toList(),
        oldestKept,
        gaps,
        rows);
  }

  /**
   * Whether something stands still: cells that are not visible, or copies that a minion lacks, for
   * longer than they are on their way.
   */
  public boolean waits(Duration usual) {
    return !gaps.isEmpty()
        || waitingCells > 0 && oldestWaitingMillis > usual.toMillis()
        || oldestKeptMillis > usual.toMillis();
  }

  /** Gaps that another look, a moment later, has found as well. */
  PrimaryView confirmedBy(PrimaryView later) {
    var both = later.gaps.stream().filter(gap -> began(gap, gaps)).toList();
    return new PrimaryView(
        primary,
        master,
        later.masterUp,
        later.positionOf,
        later.waitingCells,
        later.oldestWaitingMillis,
        later.keptCells,
        later.keptFor,
        later.oldestKeptMillis,
        both,
        later.held);
  }

  static String records(Topics topics, IngestTopic topic, int partition) {
    return topic.of(topics) + "-" + partition;
  }

  private static boolean began(MissingRecords gap, List<MissingRecords> before) {
    return before.stream()
        .anyMatch(b -> b.records().equals(gap.records()) && b.from() == gap.from());
  }

  private static TreeMap<Lane, List<SecondaryCopy>> lanes(List<SecondaryCopy> held) {
    var lanes = new TreeMap<Lane, List<SecondaryCopy>>();
    for (var h : held) {
      var lane = new Lane(h.copy().topic(), h.copy().partition());
      lanes.computeIfAbsent(lane, l -> new ArrayList<>()).add(h);
    }
    return lanes;
  }

  private static List<Row> rows(String records, List<SecondaryCopy> lane, long applied) {
    var bySecondary = new TreeMap<String, List<ListedCopy>>();
    for (var h : lane) {
      bySecondary.computeIfAbsent(h.secondary(), s -> new ArrayList<>()).add(h.copy());
    }
    return bySecondary.entrySet().stream()
        .map(entry -> row(entry.getKey(), records, entry.getValue(), applied))
        .toList();
  }

  private static Row row(String secondary, String records, List<ListedCopy> copies, long applied) {
    var waiting = copies.stream().filter(copy -> copy.next() > applied).toList();
    return new Row(
        secondary,
        records,
        copies.stream().mapToLong(ListedCopy::previous).min().orElse(0),
        copies.stream().mapToLong(ListedCopy::next).max().orElse(0),
        copies.size(),
        cells(copies),
        waiting.size(),
        cells(waiting),
        copies.stream().mapToLong(ListedCopy::ageMillis).max().orElse(0));
  }

  private static long cells(List<ListedCopy> copies) {
    return copies.stream().mapToLong(ListedCopy::cells).sum();
  }

  private record Lane(IngestTopic topic, int partition) implements Comparable<Lane> {
    private static final Comparator<Lane> ORDER =
        Comparator.comparing(Lane::topic).thenComparing(Lane::partition);

    Lane {
      Objects.requireNonNull(topic, "topic");
    }

    @Override
    public int compareTo(Lane other) {
      return ORDER.compare(this, other);
    }
  }
}
