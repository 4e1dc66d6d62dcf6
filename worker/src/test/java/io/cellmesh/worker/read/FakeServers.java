package io.cellmesh.worker.read;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.storage.CellLookup.Answer;
import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.storage.IngestTopic;
import io.cellmesh.storage.Mark;
import io.cellmesh.storage.Position;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.OverloadedException;
import io.cellmesh.worker.load.Priority;
import io.cellmesh.worker.load.UnavailableException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Servers of cluster c1 in memory; each has the position 0 unless a test says otherwise. */
final class FakeServers implements Lookups {
  final List<String> asked = new CopyOnWriteArrayList<>();
  final List<String> askedHere = new CopyOnWriteArrayList<>();
  final Map<String, Long> positions = new ConcurrentHashMap<>();
  final Set<String> down = ConcurrentHashMap.newKeySet();
  final Set<String> full = ConcurrentHashMap.newKeySet();
  final Set<String> busy = ConcurrentHashMap.newKeySet();
  final Set<String> hung = ConcurrentHashMap.newKeySet();
  final Set<String> closed = ConcurrentHashMap.newKeySet();
  volatile int epoch = 3;
  volatile RuntimeException failure;

  /** What servers that hang owe, in the order in which they were asked. */
  final List<Owed> owed = new CopyOnWriteArrayList<>();

  /** One shard on c1 at epoch 3, whose master is {@code mysql://m:1}. */
  static Topology topology(String... minions) {
    var list = new ArrayList<String>();
    for (var minion : minions) {
      list.add("{url: \"%s\", domain: d%d}".formatted(minion, list.size()));
    }
    return TopologyYaml.parse(
        """
        instance: trips
        shards: 1
        partitions: 1
        datacenter: dc1
        clusters:
          - name: c1
            shards: "0"
            epoch: 3
            master: {url: "mysql://m:1", domain: a}
            minions: %s
        """
            .formatted(list));
  }

  /** How often an answer that had come was given up all the same. */
  final AtomicInteger givenUpInVain = new AtomicInteger();

  private final class Given extends CompletableFuture<Answer> {
    Given(Answer answer) {
      complete(answer);
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      givenUpInVain.incrementAndGet();
      return super.cancel(mayInterrupt);
    }
  }

  /** An answer that a test may give. */
  record Owed(String server, CompletableFuture<Answer> answer) {}

  @Override
  public boolean healthy(Server server) {
    return !down.contains(server.address());
  }

  @Override
  public boolean idle(Server server) {
    return !busy.contains(server.address());
  }

  @Override
  public CompletableFuture<Answer> look(
      Server server,
      Topology topology,
      Collection<Integer> partitions,
      List<? extends Ask> asks,
      Priority priority,
      Deadline deadline) {
    var name = server.address();
    if (full.contains(name)) {
      throw new OverloadedException(name);
    }
    asked.add(name);
    if (failure != null) {
      return CompletableFuture.failedFuture(failure);
    }
    if (hung.contains(name)) {
      var answer = new CompletableFuture<Answer>();
      owed.add(new Owed(name, answer));
      return answer;
    }
    if (down.contains(name)) {
      return CompletableFuture.failedFuture(new UnavailableException(name + " is away"));
    }
    return new Given(answer(name, partitions));
  }

  @Override
  public CompletableFuture<Answer> lookHere(
      Server server,
      Topology topology,
      Collection<Integer> partitions,
      List<? extends Ask> asks,
      Priority priority,
      Deadline deadline) {
    askedHere.add(server.address());
    return look(server, topology, partitions, asks, priority, deadline);
  }

  /** What a server would say now. */
  Answer answer(String name, Collection<Integer> partitions) {
    var next = new HashMap<Integer, Position>();
    long cells = positions.getOrDefault(name, 0L);
    partitions.forEach(
        p -> next.put(p, Position.START.with(IngestTopic.CELLS, new Mark(cells, 0))));
    return new Answer(Map.of("c1", epoch), closed.contains(name), next, List.of(List.of()));
  }
}
