package io.cellmesh.operations.mesh;

import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.Shards;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.mesh.RelayPlan.Gap;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;

/**
 * What the tables of a data centre have lost of the cells that it wrote itself, by what the others
 * and its own log have of them. A backup holds a beginning of each shard, so one number a shard
 * says what is lacking.
 */
public final class Setback {
  private final DataCenter back;
  private final Map<String, DataCenter> holders;
  private final Map<String, Holdings> holdings;
  private final Shards shards;
  private final long[] has;
  private final RelayPlan plan;

  private Setback(
      DataCenter back,
      Map<String, DataCenter> holders,
      Map<String, Holdings> holdings,
      long[] has,
      RelayPlan plan) {
    this.back = back;
    this.holders = holders;
    this.holdings = holdings;
    this.shards = back.topology().shards();
    this.has = has;
    this.plan = plan;
  }

  /**
   * Compares.
   *
   * @param back the data centre
   * @param others whose topics are asked beside its own log
   * @throws SQLException if a master of the data centre does not answer
   * @throws OperationException if one of the others does not, or its own Kafka, or lacks a topic
   */
  public static Setback of(DataCenter back, Collection<DataCenter> others)
      throws SQLException, InterruptedException {
    var holders = new LinkedHashMap<String, DataCenter>();
    var holdings = new LinkedHashMap<String, Holdings>();
    // Of those that have the same the first one is asked for cells: others before itself.
    for (var dc : Stream.concat(others.stream(), Stream.of(back)).toList()) {
      holders.put(dc.name(), dc);
      holdings.put(dc.name(), AtDataCenter.ask(dc, () -> Holdings.read(dc, back.name())));
    }
    var shards = back.topology().shards();
    var has = new long[shards.count()];
    try (var tables = new OwnTables(back)) {
      for (int shard = 0; shard < has.length; shard++) {
        long known = known(holdings, shard);
        has[shard] = known == Holdings.NONE ? known : tables.lastId(shard, known);
      }
    }
    var plan = RelayPlan.home(back.name(), shard -> has[shard], holdings, shards);
    return new Setback(back, holders, holdings, has, plan).withoutThoseUnderAnotherId();
  }

  /** A cell that came back from the buffers, or from its own topic, has a new id. */
  private Setback withoutThoseUnderAnotherId() throws SQLException {
    if (isNone()) {
      return this;
    }
    try (var tables = new OwnTables(back);
        var envelopes = EnvelopeReader.lenient()) {
      for (var reading : GapReading.of(plan.gaps(), holders, shards).entrySet()) {
        var of = reading.getKey();
        var lookup =
            new GapLookup(back.name(), of.source(), shards, reading.getValue(), tables, envelopes);
        of.read(reading.getValue(), lookup::take);
        var lost = lookup.lost();
        for (var gap : reading.getValue()) {
          if (!lost.contains(gap.shard())) {
            has[gap.shard()] = known(gap.shard());
          }
        }
      }
    }
    var plan = RelayPlan.home(back.name(), shard -> has[shard], holdings, shards);
    return new Setback(back, holders, holdings, has, plan);
  }

  private Stream<Gap> lacking() {
    return Stream.concat(plan.gaps().stream(), plan.beyond().stream());
  }

  /**
   * Says which data centres of a mesh went back in time, and what to do about it.
   *
   * @param mesh those whose topics are asked
   * @param asked those of them whose tables are
   * @param unknown told of each of which it can't be said, and why
   */
  public static List<String> among(
      Collection<DataCenter> mesh, Collection<DataCenter> asked, Consumer<String> unknown)
      throws InterruptedException {
    var told = new ArrayList<String>();
    if (mesh.size() < 2) {
      return told;
    }
    for (var dc : asked) {
      try {
        var setback = of(dc, mesh.stream().filter(other -> !other.equals(dc)).toList());
        if (!setback.isNone()) {
          told.add(
              "%s; `cellmesh dc back %s` brings them back".formatted(setback.text(), dc.name()));
        }
      } catch (SQLException | KafkaException | DeploymentException | OperationException e) {
        unknown.accept(
            "whether %s went back in time is not known: %s".formatted(dc.name(), e.getMessage()));
      }
    }
    return told;
  }

  /** Whether nothing is lost. */
  public boolean isNone() {
    return plan.gaps().isEmpty() && plan.beyond().isEmpty();
  }

  /**
   * Says how much is lost.
   *
   * @throws org.apache.kafka.common.KafkaException if one of the others does not answer
   */
  public String text() throws InterruptedException {
    var lacking = lacking().toList();
    var first = lacking.get(0);
    long cells = 0;
    long beyond = -1;
    var whose = first.from();
    for (var holder : lacking.stream().map(Gap::from).distinct().toList()) {
      var counted = Holdings.read(holders.get(holder), back.name(), shard -> has[shard]);
      if (counted.beyond() > beyond) {
        cells = counted.cells();
        beyond = counted.beyond();
        whose = holder;
      }
    }
    return "%s went back in time: of its own cells its tables have %,d of the %,d that %s has, and lack some in %s, such as those behind origin_id %d in shard %d"
        .formatted(
            back.name(),
            cells - beyond,
            cells,
            whose.equals(back.name()) ? "its log" : whose,
            lacking.size() == 1 ? "1 shard" : "%d shards".formatted(lacking.size()),
            Math.max(0, first.after()),
            first.shard());
  }

  /**
   * The highest origin_id of a shard that anybody knows; {@link Holdings#NONE} if there is none.
   */
  long known(int shard) {
    return known(holdings, shard);
  }

  /**
   * The greatest origin_id of a shard in its tables, of those that are known; that which is known
   * if its cell is there under another one.
   */
  long has(int shard) {
    return has[shard];
  }

  /** Who has most of a shard: one of the others, if not its log alone. */
  Optional<DataCenter> holder(int shard) {
    return holdings.keySet().stream()
        .filter(name -> holdings.get(name).last(shard) == known(shard))
        .filter(name -> known(shard) > Holdings.NONE)
        .findFirst()
        .map(holders::get);
  }

  /** Brings it back. */
  Relay relay() {
    return new Relay(holders, back.name(), shards, plan);
  }

  private static long known(Map<String, Holdings> holdings, int shard) {
    return holdings.values().stream().mapToLong(of -> of.last(shard)).max().orElse(Holdings.NONE);
  }
}
