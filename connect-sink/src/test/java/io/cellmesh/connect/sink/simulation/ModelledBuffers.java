package io.cellmesh.connect.sink.simulation;

import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.simulation.ModelledServer.HeldCopy;
import io.cellmesh.storage.BufferStore;
import io.cellmesh.storage.BufferTable.CopyHeader;
import io.cellmesh.storage.BufferTable.Ends;
import io.cellmesh.storage.BufferTable.Reapable;
import io.cellmesh.storage.BufferTable.UpTo;
import io.cellmesh.storage.Copy;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.NodeUnavailableException;
import io.cellmesh.storage.OffsetCell;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The buffers of the modelled servers, as one process reaches them. */
final class ModelledBuffers implements BufferStore {
  private final World world;
  private final ModelledClient client;

  ModelledBuffers(World world, ModelledClient client) {
    this.world = world;
    this.client = client;
  }

  @Override
  public void insert(
      StorageCluster secondary, Map<StorageCluster, List<Copy>> copies, Duration answer)
      throws SQLException, NodeUnavailableException {
    client.ask(
        secondary.master(),
        true,
        answer.toNanos(),
        s -> {
          for (var primary : copies.keySet()) {
            ModelledClient.checkEpoch(s, primary);
          }
          var held =
              copies.values().stream()
                  .flatMap(List::stream)
                  .map(copy -> new HeldCopy(s.nextCopyId(), copy))
                  .toList();
          held.forEach(one -> world.checks.copied(s, one.copy()));
          return client.commit(s, server -> held.forEach(server::hold));
        });
  }

  @Override
  public boolean raiseEpoch(StorageCluster secondary, StorageCluster primary, Duration answer)
      throws SQLException, NodeUnavailableException {
    return client.ask(
        secondary.master(),
        true,
        answer.toNanos(),
        s -> world.raise(s, primary.name(), primary.epoch()));
  }

  @Override
  public List<CopyHeader> held(
      StorageCluster secondary,
      StorageCluster primary,
      IngestTopic topic,
      int partition,
      long after,
      int limit)
      throws SQLException, NodeUnavailableException {
    return client.ask(
        secondary.master(),
        false,
        ModelledClient.ANSWER,
        s ->
            s.buffer.values().stream()
                .filter(held -> isOf(held.copy(), primary, topic, partition))
                .filter(held -> held.copy().next() > after)
                .sorted(
                    Comparator.<HeldCopy>comparingLong(held -> held.copy().next())
                        .thenComparingLong(held -> held.copy().previous()))
                .limit(limit)
                .map(ModelledBuffers::header)
                .toList());
  }

  private static CopyHeader header(HeldCopy held) {
    var copy = held.copy();
    int cells = copy.cells().size();
    return new CopyHeader(held.id(), copy.previous(), copy.end(), cells, 5 + 80 * cells);
  }

  @Override
  public Map<Long, List<OffsetCell>> cells(StorageCluster secondary, Collection<Long> ids)
      throws SQLException, NodeUnavailableException {
    return client.ask(
        secondary.master(),
        false,
        ModelledClient.ANSWER,
        s -> {
          var cells = new HashMap<Long, List<OffsetCell>>();
          for (long id : ids) {
            var held = s.buffer.get(id);
            if (held != null) {
              cells.put(id, held.copy().cells());
            }
          }
          return cells;
        });
  }

  @Override
  public List<Ends> ends(StorageCluster secondary) throws SQLException, NodeUnavailableException {
    return client.ask(secondary.master(), false, ModelledClient.ANSWER, ModelledBuffers::ends);
  }

  private static List<Ends> ends(ModelledServer server) {
    var ends = new TreeMap<String, Ends>();
    for (var held : server.buffer.values()) {
      var copy = held.copy();
      ends.merge(
          copy.primary() + "/" + copy.partition() + "/" + copy.topic(),
          new Ends(copy.primary(), copy.topic(), copy.partition(), copy.next(), copy.next()),
          (one, other) ->
              new Ends(
                  one.primary(),
                  one.topic(),
                  one.partition(),
                  Math.min(one.first(), other.first()),
                  Math.max(one.last(), other.last())));
    }
    return List.copyOf(ends.values());
  }

  @Override
  public Map<String, Integer> reap(StorageCluster secondary, List<Reapable> reapable, int limit)
      throws SQLException, NodeUnavailableException {
    return client.ask(
        secondary.master(),
        true,
        ModelledClient.ANSWER,
        s -> {
          var went = new HashMap<String, Integer>();
          var going = new ArrayList<HeldCopy>();
          for (var one : reapable) {
            var of = going(s, one, limit);
            went.put(one.primary().name(), of.size());
            going.addAll(of);
          }
          if (!going.isEmpty()) {
            client.commit(s, server -> going.forEach(held -> server.buffer.remove(held.id())));
            world.checks.reaped(s, going);
          }
          return went;
        });
  }

  private static List<HeldCopy> going(ModelledServer server, Reapable reapable, int limit) {
    var primary = reapable.primary();
    if (server.epochs.get(primary.name()) != primary.epoch()) {
      return List.of();
    }
    return server.buffer.values().stream()
        .filter(held -> reapable.upTo().stream().anyMatch(to -> goes(held.copy(), primary, to)))
        .sorted(
            Comparator.<HeldCopy>comparingInt(held -> held.copy().partition())
                .thenComparing(held -> held.copy().topic())
                .thenComparingLong(held -> held.copy().next()))
        .limit(limit)
        .toList();
  }

  private static boolean goes(Copy copy, StorageCluster primary, UpTo upTo) {
    return isOf(copy, primary, upTo.topic(), upTo.partition()) && copy.next() <= upTo.offset();
  }

  private static boolean isOf(Copy copy, StorageCluster primary, IngestTopic topic, int partition) {
    return copy.primary().equals(primary.name())
        && copy.topic() == topic
        && copy.partition() == partition;
  }
}
