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
import java.util.stream.Stream;

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
   * @throws io.cellmesh.operations.OperationException if one of them does not answer, or lacks a
   *     topic
   */
  public static Relay plan(Collection<DataCenter> survivors, String origin)
      throws InterruptedException {
    var byName = new LinkedHashMap<String, DataCenter>();
    var holdings = new LinkedHashMap<String, Holdings>();
    for (var dc : survivors) {
      byName.put(dc.name(), dc);
      holdings.put(dc.name(), AtDataCenter.ask(dc, () -> Holdings.read(dc, origin)));
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
    findings.addAll(inTablesAlone());
    return findings;
  }

  /** Says who lacks what no topic has any more, in sentences. */
  List<String> inTablesAlone() {
    var findings = new ArrayList<String>();
    var byTo = new TreeMap<>(plan.beyond().stream().collect(groupingBy(Gap::to)));
    byTo.forEach(
        (to, gaps) ->
            findings.add(
                "%s lacks cells of %s in %s, of which no topic has all any more: they are read from entity tables"
                    .formatted(to, origin, shardsOf(gaps))));
    return findings;
  }

  /**
   * What was relayed.
   *
   * @param cells how many were written
   * @param brought what each lacked of a shard, up to the last cell that was written
   * @param absent what neither topics nor tables have any more
   */
  record Relayed(long cells, List<Gap> brought, List<Gap> absent) {
    Relayed {
      brought = List.copyOf(brought);
      absent = List.copyOf(absent);
    }

    /** Says what nobody has any more, in sentences. */
    List<String> absence(String origin) {
      return absent.stream()
          .map(
              gap ->
                  "%s lacks cells of %s in shard %d, behind origin_id %d and up to %d: neither topics nor tables have them any more"
                      .formatted(gap.to(), origin, gap.shard(), gap.after(), gap.last()))
          .toList();
    }
  }

  /**
   * Relays all that can be: what topics have from there, the rest from entity tables.
   *
   * @param rate cells a second that come from tables, at most; 0 for as fast as possible
   * @param step hears how far it is
   * @throws org.apache.kafka.common.KafkaException if Kafka refuses one, or does not answer; the
   *     same again goes on
   * @throws io.cellmesh.operations.OperationException if tables that are needed can't be read; the
   *     same again goes on
   */
  Relayed run(double rate, Step step) throws Exception {
    var readings = GapReading.of(plan.gaps(), datacenters, shards);
    var tables = new TreeMap<>(plan.beyond().stream().collect(groupingBy(Gap::shard)));
    long total = readings.size() + tables.size();
    var writers = new TreeMap<String, RelayWriter>();
    try (var envelopes = EnvelopeReader.lenient()) {
      Stream.concat(plan.gaps().stream(), plan.beyond().stream())
          .forEach(gap -> writers.computeIfAbsent(gap.to(), this::writer));
      long done = 0;
      for (var reading : readings.entrySet()) {
        var of = reading.getKey();
        var partition =
            new RelayedPartition(
                of.source(), origin, shards, reading.getValue(), writers, envelopes);
        of.read(reading.getValue(), partition::take);
        writers.values().forEach(RelayWriter::flush);
        step.progress(++done, total);
      }
      var brought = new ArrayList<>(plan.gaps());
      var absent = new ArrayList<Gap>();
      if (!tables.isEmpty()) {
        try (var relay = new TableRelay(origin, rate)) {
          relay.open(others());
          for (var shard : tables.entrySet()) {
            fill(relay, shard.getKey(), shard.getValue(), writers, brought, absent);
            writers.values().forEach(RelayWriter::flush);
            step.progress(++done, total);
          }
        }
      }
      long cells = writers.values().stream().mapToLong(RelayWriter::written).sum();
      return new Relayed(cells, brought, absent);
    } finally {
      writers.values().forEach(RelayWriter::close);
    }
  }

  private void fill(
      TableRelay relay,
      int shard,
      List<Gap> gaps,
      Map<String, RelayWriter> writers,
      List<Gap> brought,
      List<Gap> absent)
      throws Exception {
    int partition = shards.partitionOf(shard);
    relay
        .fill(shard, gaps, (gap, cell) -> writers.get(gap.to()).write(partition, cell))
        .forEach(
            (gap, reached) -> {
              if (reached > gap.after()) {
                brought.add(gap.between(gap.after(), reached));
              }
              if (reached < gap.last()) {
                absent.add(gap.between(reached, gap.last()));
              }
            });
  }

  /** Those whose tables may have what the data centre wrote; its own have lost it. */
  private List<DataCenter> others() {
    return datacenters.values().stream().filter(dc -> !dc.name().equals(origin)).toList();
  }

  private RelayWriter writer(String name) {
    var to = datacenters.get(name);
    return RelayWriter.open(to.kafka(), to.topology().topics().mesh(), name.equals(origin));
  }

  private static String way(Gap gap) {
    return "%s lacks cells that %s has".formatted(gap.to(), gap.from());
  }

  private static String shardsOf(List<Gap> gaps) {
    return gaps.size() == 1 ? "shard " + gaps.get(0).shard() : "%d shards".formatted(gaps.size());
  }
}
