package io.cellmesh.operations.buffer;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.operations.buffer.BufferView.Unreachable;
import io.cellmesh.storage.BufferListing;
import io.cellmesh.storage.BufferListing.OpenCopy;
import io.cellmesh.storage.ConnectionCallback;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.Pools;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/**
 * Asks all servers of a data centre what they hold, side by side; one that does not answer is part
 * of the result. Buffers are read before positions: what comes meanwhile looks less far, not lost.
 */
public final class BufferReader {
  private final Topology topology;
  private final Pools pools;
  private final BufferListing listing;

  public BufferReader(Topology topology, Pools pools) {
    this.topology = topology;
    this.pools = pools;
    this.listing = new BufferListing(topology);
  }

  /**
   * What the buffers hold for one primary, or for all.
   *
   * <p>The servers are asked one moment after the other, so a copy can be missed that came between;
   * a gap counts only if it is there at a second look.
   */
  public BufferView view(Optional<String> primary) {
    var first = look(primary);
    if (first.primaries().stream().allMatch(view -> view.gaps().isEmpty())) {
      return first;
    }
    var second = look(primary);
    var confirmed = new ArrayList<PrimaryView>();
    for (int i = 0; i < first.primaries().size(); i++) {
      confirmed.add(first.primaries().get(i).confirmedBy(second.primaries().get(i)));
    }
    return new BufferView(second.datacenter(), confirmed, second.unreachable());
  }

  /** The first cells that are held for a primary, in the order of partition, topic and offset. */
  public List<BufferCell> cells(
      String primary, OptionalInt partition, int limit, Collection<Unreachable> unreachable) {
    var cluster = topology.cluster(primary);
    var down = new ConcurrentHashMap<Server, Unreachable>();
    var copies =
        ask(
            masters(topology.clusters().stream().filter(c -> !c.name().equals(primary)).toList()),
            connection -> listing.open(connection, primary, partition, limit),
            down);
    var positions = positions(List.of(cluster), down).get(primary);
    unreachable.addAll(sorted(down));
    var cells = new TreeMap<Place, BufferCell>();
    copies.forEach(
        (server, open) ->
            open.forEach(copy -> add(copy, clusterOf(server).name(), positions, cells)));
    return cells.values().stream().limit(limit).toList();
  }

  private BufferView look(Optional<String> primary) {
    var wanted =
        topology.clusters().stream()
            .filter(cluster -> primary.isEmpty() || cluster.name().equals(primary.get()))
            .toList();
    var down = new ConcurrentHashMap<Server, Unreachable>();
    var copies =
        ask(masters(topology.clusters()), connection -> listing.copies(connection, primary), down);
    var positions = positions(wanted, down);
    var held = new HashMap<String, List<SecondaryCopy>>();
    copies.forEach(
        (server, list) ->
            list.forEach(
                copy ->
                    held.computeIfAbsent(copy.primary(), p -> new ArrayList<>())
                        .add(new SecondaryCopy(clusterOf(server).name(), copy))));
    var views =
        wanted.stream()
            .map(
                cluster ->
                    PrimaryView.of(
                        topology.topics(),
                        positions.get(cluster.name()),
                        held.getOrDefault(cluster.name(), List.of())))
            .toList();
    return new BufferView(topology.datacenter(), views, sorted(down));
  }

  private Map<String, ClusterPositions> positions(
      List<StorageCluster> clusters, Map<Server, Unreachable> down) {
    var servers =
        clusters.stream()
            .flatMap(cluster -> cluster.servers().stream())
            .filter(server -> !down.containsKey(server))
            .toList();
    var positions = ask(servers, listing::positions, down);
    var byCluster = new HashMap<String, ClusterPositions>();
    for (var cluster : clusters) {
      var own = new HashMap<Server, Map<Integer, Map<IngestTopic, Long>>>();
      for (var server : cluster.servers()) {
        if (positions.containsKey(server)) {
          own.put(server, positions.get(server));
        }
      }
      byCluster.put(cluster.name(), new ClusterPositions(cluster, own));
    }
    return byCluster;
  }

  private void add(
      OpenCopy open, String secondary, ClusterPositions positions, Map<Place, BufferCell> cells) {
    var copy = open.copy();
    var since = Instant.now().minusMillis(copy.ageMillis());
    for (var entry : open.cells()) {
      var state = positions.state(copy.topic(), copy.partition(), entry.offset(), copy.next());
      var cell =
          new BufferCell(
              PrimaryView.records(topology.topics(), copy.topic(), copy.partition()),
              entry.offset(),
              entry.cell(),
              since,
              List.of(secondary),
              state);
      cells.merge(
          new Place(copy.partition(), copy.topic(), entry.offset()), cell, BufferReader::merged);
    }
  }

  private static BufferCell merged(BufferCell one, BufferCell other) {
    var secondaries = new ArrayList<>(one.secondaries());
    other.secondaries().stream().filter(s -> !secondaries.contains(s)).forEach(secondaries::add);
    var earlier = one.since().isBefore(other.since()) ? one : other;
    return new BufferCell(
        one.records(), one.offset(), one.cell(), earlier.since(), secondaries, earlier.state());
  }

  /** What each server says; those that can't be asked are put among the ones that are down. */
  private <T> Map<Server, T> ask(
      List<Server> servers, ConnectionCallback<T> question, Map<Server, Unreachable> down) {
    var answers = new ConcurrentHashMap<Server, T>();
    var threads = Executors.newFixedThreadPool(Math.max(1, servers.size()));
    try {
      var asked =
          servers.stream()
              .map(
                  server ->
                      CompletableFuture.runAsync(
                          () -> answer(server, question, answers, down), threads))
              .toArray(CompletableFuture[]::new);
      CompletableFuture.allOf(asked).join();
    } finally {
      threads.shutdownNow();
    }
    return answers;
  }

  private <T> void answer(
      Server server,
      ConnectionCallback<T> question,
      Map<Server, T> answers,
      Map<Server, Unreachable> down) {
    try (var connection = pools.open(server)) {
      answers.put(server, question.run(connection));
    } catch (SQLException e) {
      down.put(server, unreachable(server, MySqlErrors.explain(e)));
    } catch (DeploymentException e) {
      down.put(server, unreachable(server, e.getMessage()));
    }
  }

  private Unreachable unreachable(Server server, String why) {
    var cluster = clusterOf(server);
    var role = server.equals(cluster.master()) ? "master" : "minion";
    return new Unreachable(cluster.name(), role, server.address(), why);
  }

  private StorageCluster clusterOf(Server server) {
    return topology.clusters().stream()
        .filter(cluster -> cluster.servers().contains(server))
        .findFirst()
        .orElseThrow();
  }

  private static List<Server> masters(List<StorageCluster> clusters) {
    return clusters.stream().map(StorageCluster::master).toList();
  }

  private static List<Unreachable> sorted(Map<Server, Unreachable> down) {
    return down.values().stream()
        .sorted(Comparator.comparing(Unreachable::cluster).thenComparing(Unreachable::address))
        .toList();
  }

  private record Place(int partition, IngestTopic topic, long offset) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      return Comparator.comparingInt(Place::partition)
          .thenComparing(Place::topic)
          .thenComparingLong(Place::offset)
          .compare(this, other);
    }
  }
}
