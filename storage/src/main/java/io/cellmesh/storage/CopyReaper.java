package io.cellmesh.storage;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.BufferTable.Ends;
import io.cellmesh.storage.BufferTable.Reapable;
import io.cellmesh.storage.BufferTable.UpTo;
import io.cellmesh.storage.PrimaryStore.Reached;
import io.cellmesh.storage.replication.ServerRole;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes copies that are no longer needed. A copy goes only when its primary lists at least one
 * minion and the position on the master and on every listed minion is past it (invariant 5): the
 * cells then stand on two servers of the primary's own.
 *
 * <p>A minion that has transactions which its master lacks has parted from it: its position speaks
 * of another history, so it proves nothing, and while it is listed no copy goes. Neither does one
 * while a minion lacks what it once committed itself, since its position moves on over that gap
 * ({@link ServerRole#lost}). One thread.
 */
public final class CopyReaper {
  private static final Logger LOG = LoggerFactory.getLogger(CopyReaper.class);

  /** Of a transaction, so that no lock, binlog event or minion has to do with millions of rows. */
  private static final int ROWS_AT_ONCE = 1000;

  private static final Duration ANSWER = Duration.ofSeconds(3);

  private final Topology topology;
  private final PrimaryStore primaries;
  private final BufferStore buffers;
  private final Predicate<Server> sound;
  private final List<Integer> partitions;

  /** Servers of which it was said that their word proves nothing. */
  private final Set<Server> told = new HashSet<>();

  /**
   * Takes every server at its word.
   *
   * @param nodes whose connections allow multi-statements
   */
  public CopyReaper(Topology topology, Nodes nodes) {
    this(
        topology,
        new SqlPrimaryStore(topology, nodes),
        new SqlBufferStore(topology, nodes),
        server -> true);
  }

  /**
   * @param sound whether a server keeps what it is given ({@link ServerChecks}); no copy goes while
   *     its primary lists one that does not, or was not judged yet
   */
  public CopyReaper(
      Topology topology, PrimaryStore primaries, BufferStore buffers, Predicate<Server> sound) {
    this.topology = topology;
    this.primaries = primaries;
    this.buffers = buffers;
    this.sound = sound;
    this.partitions =
        IntStream.range(0, topology.shards().partitions()).boxed().collect(Collectors.toList());
  }

  /**
   * Goes once through the buffers of all clusters that can be reached, each of which lets go in one
   * transaction what may go; in several where that is much.
   *
   * @param which primary, topic and partition to look at
   * @return how many copies went
   */
  public long run(Predicate<Ends> which) throws SQLException {
    var safe = new HashMap<String, Map<Integer, Position>>();
    long gone = 0;
    for (var secondary : topology.clusters()) {
      try {
        gone += reap(secondary, reapable(secondary, which, safe));
      } catch (NodeUnavailableException e) {
        LOG.debug("the buffer of {} lets nothing go now: {}", secondary.name(), e.getMessage());
      }
    }
    return gone;
  }

  private List<Reapable> reapable(
      StorageCluster secondary, Predicate<Ends> which, Map<String, Map<Integer, Position>> safe)
      throws SQLException, NodeUnavailableException {
    var reapable = new TreeMap<String, Reapable>();
    for (var ends : buffers.ends(secondary)) {
      var primary = primary(ends.primary());
      if (primary.isEmpty() || !which.test(ends)) {
        continue;
      }
      long upTo = upTo(primary.get(), ends, safe);
      if (ends.first() <= upTo) {
        reapable
            .computeIfAbsent(ends.primary(), name -> new Reapable(primary.get(), new ArrayList<>()))
            .upTo()
            .add(new UpTo(ends.topic(), ends.partition(), upTo));
      }
    }
    return List.copyOf(reapable.values());
  }

  /** Takes turns, so that a primary with many copies does not keep the others' waiting. */
  private long reap(StorageCluster secondary, List<Reapable> reapable)
      throws SQLException, NodeUnavailableException {
    long gone = 0;
    var left = reapable;
    while (!left.isEmpty()) {
      int each = Math.max(1, ROWS_AT_ONCE / left.size());
      var went = buffers.reap(secondary, left, each);
      gone += went.values().stream().mapToLong(Integer::longValue).sum();
      var more = new ArrayList<Reapable>();
      for (var one : left) {
        int deleted = went.get(one.primary().name());
        if (deleted == each || (deleted == 0 && learns(secondary, one.primary()))) {
          more.add(one);
        }
      }
      left = more;
    }
    return gone;
  }

  /**
   * A secondary that was away during a promotion, or when a minion was removed, lets nothing go
   * before it learns of it. Where no copies come any more that would tell it, it learns of it here.
   */
  private boolean learns(StorageCluster secondary, StorageCluster primary)
      throws SQLException, NodeUnavailableException {
    return buffers.raiseEpoch(secondary, primary, ANSWER);
  }

  private Optional<StorageCluster> primary(String name) {
    return topology.clusters().stream().filter(c -> c.name().equals(name)).findFirst();
  }

  private long upTo(StorageCluster primary, Ends ends, Map<String, Map<Integer, Position>> safe)
      throws SQLException {
    var known = safe.get(primary.name());
    if (known == null) {
      known = replicated(primary);
      safe.put(primary.name(), known);
    }
    return known.getOrDefault(ends.partition(), Position.START).of(ends.topic());
  }

  /**
   * The positions that the master and every listed minion have reached; none if there is no minion,
   * or if one of the servers is gone, not sound, or of another lineage.
   */
  private Map<Integer, Position> replicated(StorageCluster primary) throws SQLException {
    if (primary.minions().isEmpty() || !primary.servers().stream().allMatch(sound)) {
      return Map.of();
    }
    try {
      var places = new ArrayList<Place>();
      for (var minion : primary.minions()) {
        places.add(place(minion));
      }
      // Asked last: what a minion has from its master, the master then has as well.
      var master = place(primary.master());
      var lowest = master.reached().positions();
      for (var minion : places) {
        if (!sameLineage(primary, minion, master)) {
          return Map.of();
        }
        lowest = lowest(lowest, minion.reached().positions());
      }
      return lowest;
    } catch (NodeUnavailableException e) {
      LOG.debug("not all of {} can be asked for positions: {}", primary.name(), e.getMessage());
      return Map.of();
    }
  }

  private Place place(Server server) throws SQLException, NodeUnavailableException {
    return new Place(server, primaries.reached(server, partitions));
  }

  private boolean sameLineage(StorageCluster primary, Place minion, Place master) {
    var wrong = wrong(minion, master);
    if (wrong.isEmpty()) {
      told.remove(minion.server());
    } else if (told.add(minion.server())) {
      LOG.warn(
          "minion {} of {} {}: it proves nothing, so no copy of {} goes until it is made anew (`cellmesh minion add --overwrite`) or no longer listed (`cellmesh minion remove`)",
          minion.server(),
          primary.name(),
          wrong.get(),
          primary.name());
    }
    return wrong.isEmpty();
  }

  private static Optional<String> wrong(Place minion, Place master) {
    var executed = minion.reached().executed();
    var astray = executed.without(master.reached().executed());
    if (!astray.isEmpty()) {
      return Optional.of(
          "has transactions that its master %s lacks (%s)"
              .formatted(master.server(), astray.brief()));
    }
    var lost = master.reached().executed().of(minion.reached().uuid()).without(executed);
    return lost.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "was restored from a backup and lacks what it once committed itself (%s), which it never gets by following"
                .formatted(lost.brief()));
  }

  private static Map<Integer, Position> lowest(
      Map<Integer, Position> one, Map<Integer, Position> other) {
    var lowest = new HashMap<Integer, Position>();
    one.forEach(
        (partition, position) -> {
          var second = other.getOrDefault(partition, Position.START);
          lowest.put(
              partition,
              new Position(
                  lower(position.cells(), second.cells()), lower(position.mesh(), second.mesh())));
        });
    return lowest;
  }

  private static Mark lower(Mark one, Mark other) {
    return one.next() <= other.next() ? one : other;
  }

  /** How far a server is. */
  private record Place(Server server, Reached reached) {}
}
