package io.cellmesh.operations.mesh;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.promotion.OthersKnow;
import io.cellmesh.storage.CellReader;
import io.cellmesh.storage.EntityScan;
import io.cellmesh.storage.Pools;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;

/**
 * Asks the other data centres of a mesh what they have, all at once and not for long: a master is
 * missed meanwhile.
 *
 * @param others of the mesh
 */
public record MeshKnows(List<DataCenter> others) implements OthersKnow {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** What one of them has of a shard. */
  private record Known(DataCenter dc, long id) {}

  public MeshKnows {
    others = List.copyOf(others);
  }

  @Override
  public Optional<String> lack(
      Topology topology,
      StorageCluster cluster,
      Server candidate,
      Pools pools,
      Consumer<String> unheard)
      throws SQLException, InterruptedException {
    var origin = topology.datacenter();
    var known = known(origin, cluster, unheard);
    var missing = new TreeMap<Integer, Known>();
    try (var connection = pools.open(candidate)) {
      for (var shard : known.entrySet()) {
        long id = shard.getValue().id();
        var last = EntityScan.lastOwn(connection, topology, shard.getKey(), id);
        if (last.filter(cell -> cell.cell().origin().orElseThrow().id() == id).isEmpty()) {
          missing.put(shard.getKey(), shard.getValue());
        }
      }
    }
    var reader = new CellReader(topology, pools, of -> candidate);
    forgetThoseUnderAnotherId(missing, reader, origin, unheard);
    return missing.entrySet().stream()
        .findFirst()
        .map(
            first ->
                "%s lacks cells of %s that %s has, in %s, such as shard %d, origin_id %d: opened, it would give their ids to others. `cellmesh dc back %s` opens it and brings them back, or else promote a server that has them"
                    .formatted(
                        candidate.address(),
                        origin,
                        first.getValue().dc().name(),
                        missing.size() == 1 ? "1 shard" : "%d shards".formatted(missing.size()),
                        first.getKey(),
                        first.getValue().id(),
                        origin));
  }

  /**
   * A cell that a promotion once lost came back from the buffers, with a new id. Whether one did
   * nobody knows of those whose holder does not answer any more.
   */
  private static void forgetThoseUnderAnotherId(
      Map<Integer, Known> missing, CellReader reader, String origin, Consumer<String> unheard)
      throws SQLException {
    var byHolder = new HashMap<DataCenter, Map<Integer, Long>>();
    missing.forEach(
        (shard, of) ->
            byHolder.computeIfAbsent(of.dc(), dc -> new HashMap<>()).put(shard, of.id()));
    for (var holder : byHolder.entrySet()) {
      try {
        var cells = new KnownCells(origin, holder.getKey()).find(holder.getValue());
        for (var cell : cells.entrySet()) {
          if (reader.get(cell.getValue().key()).isPresent()) {
            missing.remove(cell.getKey());
          }
        }
      } catch (KafkaException e) {
        unheard.accept(
            "whether cells of %s that %s has are there under other ids is not known: %s"
                .formatted(origin, holder.getKey().name(), e.getMessage()));
      }
    }
  }

  /** The highest origin_id of each shard that somebody knows, of those that answer in time. */
  private Map<Integer, Known> known(String origin, StorageCluster cluster, Consumer<String> unheard)
      throws InterruptedException {
    var known = new LinkedHashMap<Integer, Known>();
    var threads =
        Executors.newFixedThreadPool(
            Math.max(1, others.size()),
            work -> {
              var thread = new Thread(work, "mesh-knows");
              thread.setDaemon(true);
              return thread;
            });
    try {
      var questions =
          others.stream().<Callable<Holdings>>map(dc -> () -> Holdings.read(dc, origin)).toList();
      var answers = threads.invokeAll(questions, PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      for (int i = 0; i < others.size(); i++) {
        var dc = others.get(i);
        try {
          var holdings = answers.get(i).get();
          cluster.shards().stream().forEach(shard -> note(known, shard, dc, holdings.last(shard)));
        } catch (ExecutionException e) {
          unheard.accept(unheard(dc, e.getCause().getMessage()));
        } catch (CancellationException e) {
          unheard.accept(unheard(dc, "no answer within %d s".formatted(PATIENCE.toSeconds())));
        }
      }
    } finally {
      threads.shutdownNow();
    }
    return known;
  }

  private static void note(Map<Integer, Known> known, int shard, DataCenter dc, long id) {
    if (id > Holdings.NONE && (!known.containsKey(shard) || known.get(shard).id() < id)) {
      known.put(shard, new Known(dc, id));
    }
  }

  private static String unheard(DataCenter dc, String why) {
    return "%s was not heard, so what it has was not compared: %s".formatted(dc.name(), why);
  }
}
