package io.cellmesh.operations.mesh;

import static java.util.stream.Collectors.groupingBy;

import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.Shards;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.OperationListener.Step;
import io.cellmesh.operations.mesh.RelayPlan.Gap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Brings what some have of a data centre's cells to those that lack them, in the origin's order
 * (invariant 9): of one that is lost to the other survivors, while the links to it stand still, or
 * of one that has lost them itself home to it. What has arrived is not brought again: after an
 * interruption it goes on where it was.
 */
public final class Relay {
  private final Map<String, DataCenter> datacenters;
  private final String origin;
  private final Shards shards;
  private final RelayPlan plan;

  /**
   * @param datacenters by their names: all that the plan names
   * @param origin the data centre that wrote the cells
   */
  Relay(Map<String, DataCenter> datacenters, String origin, Shards shards, RelayPlan plan) {
    this.datacenters = datacenters;
    this.origin = origin;
    this.shards = shards;
    this.plan = plan;
  }

  /**
   * Looks at what each survivor has.
   *
   * @throws org.apache.kafka.common.KafkaException if one of them does not answer, or lacks a topic
   */
  public static Relay plan(Collection<DataCenter> survivors, String origin)
      throws InterruptedException {
    var byName = new LinkedHashMap<String, DataCenter>();
    var holdings = new LinkedHashMap<String, Holdings>();
    for (var dc : survivors) {
      byName.put(dc.name(), dc);
      holdings.put(dc.name(), Holdings.read(dc, origin));
    }
    var shards = survivors.iterator().next().topology().shards();
    return new Relay(byName, origin, shards, RelayPlan.of(holdings, shards));
  }

  /** Whether no survivor has a cell that another one lacks. */
  public boolean isDone() {
    return plan.gaps().isEmpty() && plan.beyond().isEmpty();
  }

  /** Says who lacks what, in sentences. */
  public List<String> findings() {
    var findings = new ArrayList<String>();
    var byWay = new TreeMap<>(plan.gaps().stream().collect(groupingBy(Relay::way)));
    byWay.forEach((way, gaps) -> findings.add("%s in %s".formatted(way, shardsOf(gaps))));
    findings.addAll(beyondReach());
    return findings;
  }

  /** Says what can't be relayed, in sentences. */
  public List<String> beyondReach() {
    var findings = new ArrayList<String>();
    for (var gap : plan.beyond()) {
      findings.add(
          "%s lacks cells of %s in shard %d behind origin_id %d, and the topics of %s have not all of them any more: the tables there have"
              .formatted(gap.to(), origin, gap.shard(), gap.after(), gap.from()));
    }
    return findings;
  }

  /**
   * Relays all that can be.
   *
   * @param step hears how far it is
   * @return how many cells were written
   * @throws org.apache.kafka.common.KafkaException if Kafka refuses one, or does not answer; the
   *     same again goes on
   */
  public long run(Step step) {
    var readings = GapReading.of(plan.gaps(), datacenters, shards);
    var writers = new TreeMap<String, RelayWriter>();
    try (var envelopes = EnvelopeReader.lenient()) {
      for (var gap : plan.gaps()) {
        var to = datacenters.get(gap.to());
        writers.computeIfAbsent(
            to.name(),
            name ->
                RelayWriter.open(
                    to.kafka(), to.topology().topics().mesh(), to.name().equals(origin)));
      }
      long done = 0;
      for (var reading : readings.entrySet()) {
        var of = reading.getKey();
        var partition =
            new RelayedPartition(
                of.source(), origin, shards, reading.getValue(), writers, envelopes);
        of.read(reading.getValue(), partition::take);
        writers.values().forEach(RelayWriter::flush);
        step.progress(++done, readings.size());
      }
      return writers.values().stream().mapToLong(RelayWriter::written).sum();
    } finally {
      writers.values().forEach(RelayWriter::close);
    }
  }

  private static String way(Gap gap) {
    return "%s lacks cells that %s has".formatted(gap.to(), gap.from());
  }

  private static String shardsOf(List<Gap> gaps) {
    return gaps.size() == 1 ? "shard " + gaps.get(0).shard() : "%d shards".formatted(gaps.size());
  }
}
