package io.cellmesh.worker.read;

import io.cellmesh.cell.Printable;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.storage.MySqlErrors;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.ServerChoice;
import io.cellmesh.storage.ServerFailure;
import io.cellmesh.storage.index.IndexPage;
import io.cellmesh.storage.index.IndexQuery;
import io.cellmesh.storage.index.Indexes;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.Lane;
import io.cellmesh.worker.load.Priority;
import io.cellmesh.worker.load.UnavailableException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * Reads pages of indexes. The cells that come with a page may be of any cluster, so these reads
 * have threads of their own; a server that is known not to answer is passed over. Thread-safe.
 */
public final class IndexReads implements AutoCloseable {
  private static final int THREADS = 4;
  private static final int WAITING = 256;

  /** A cluster has no more servers that may be found dead one after the other. */
  private static final int ATTEMPTS = 4;

  /** Most values, and characters of each, that a message shows. */
  private static final int NAMED = 5;

  private static final int SHOWN = 48;

  private final ShardMap map;
  private final ServerLanes servers;
  private final Pools pools;
  private final Lane lane;

  /** Null until the first page is asked for. */
  private volatile Readers readers;

  public IndexReads(ShardMap map, ServerLanes servers, Pools pools) {
    this.map = map;
    this.servers = servers;
    this.pools = pools;
    this.lane = new Lane("index-" + map.current().instance(), THREADS, WAITING);
  }

  /**
   * A page, and whose it is.
   *
   * @param by {@code CLUSTER/ROLE/HOST:PORT} of the servers that the entries are of
   */
  public record ServedPage(List<String> by, IndexPage page) {
    public ServedPage {
      by = List.copyOf(by);
    }
  }

  /**
   * Reads a page. Of several values of the shard field all must be answered for: a page without
   * those of one would say that there are none, and its cursor would pass over them.
   *
   * @return it; or an {@link io.cellmesh.storage.index.IndexQueryException} if there is no such
   *     index or the query does not fit it, or an {@link UnavailableException}
   * @throws io.cellmesh.worker.load.OverloadedException if too many wait already
   */
  public CompletableFuture<ServedPage> page(
      String index, IndexQuery query, ReadFrom from, Priority priority, Deadline deadline) {
    var why = new AtomicReference<>("its turn came too late");
    return lane.run(priority, deadline, () -> page(index, query, from, deadline, why))
        .orTimeout(deadline.left().toNanos(), TimeUnit.NANOSECONDS)
        .exceptionally(e -> late(e, why.get()));
  }

  private static ServedPage late(Throwable e, String why) {
    if (e instanceof TimeoutException) {
      throw noPage(why);
    }
    throw e instanceof CompletionException known ? known : new CompletionException(e);
  }

  public Lane lane() {
    return lane;
  }

  @Override
  public void close() {
    lane.close();
  }

  private static UnavailableException noPage(String why) {
    return new UnavailableException("no page within the deadline: " + why);
  }

  /**
   * @param why there is none yet; kept up to date for whoever stops waiting
   */
  private ServedPage page(
      String index, IndexQuery query, ReadFrom from, Deadline deadline, AtomicReference<String> why)
      throws SQLException {
    why.set("no server has answered yet");
    var indexes = indexes(from);
    for (int attempt = 0; attempt < ATTEMPTS && !deadline.isOver(); attempt++) {
      try {
        return served(indexes.ask(index, reader -> reader.page(query)));
      } catch (ServerFailure e) {
        if (MySqlErrors.verdict(e) == MySqlErrors.Verdict.FATAL) {
          throw e;
        }
        servers.suspect(e.server());
        why.set(why(e));
      }
    }
    throw noPage(why.get());
  }

  /** Made anew when the map changes. */
  private Indexes indexes(ReadFrom from) {
    var topology = map.current();
    var known = readers;
    if (known == null || known.topology() != topology) {
      known =
          new Readers(
              topology,
              new Indexes(topology, pools, new Healthiest(true)),
              new Indexes(topology, pools, new Healthiest(false)));
      readers = known;
    }
    return from == ReadFrom.MASTER ? known.masters() : known.minions();
  }

  private ServedPage served(IndexPage page) {
    return new ServedPage(page.servers().stream().map(this::name).sorted().toList(), page);
  }

  /** Names the values that are not answered for, if others are. */
  private static String why(ServerFailure failure) {
    var values = failure.concerned();
    if (values.isEmpty()) {
      return failure.getMessage();
    }
    var named =
        values.stream().limit(NAMED).map(IndexReads::shown).collect(Collectors.joining(", "));
    var more = values.size() > NAMED ? " and %d more".formatted(values.size() - NAMED) : "";
    return "shard_field %s%s: %s".formatted(named, more, failure.getMessage());
  }

  private static String shown(String value) {
    boolean whole = value.codePointCount(0, value.length()) <= SHOWN;
    var text = whole ? value : value.substring(0, value.offsetByCodePoints(0, SHOWN)) + "…";
    return '"' + Printable.of(text) + '"';
  }

  private String name(Server server) {
    var cluster =
        map.current().clusters().stream()
            .filter(c -> c.servers().contains(server))
            .findFirst()
            .orElseThrow(
                () -> new UnavailableException(server.address() + " has left its cluster"));
    return Served.name(cluster, server.equals(cluster.master()) ? "master" : "minion", server);
  }

  private record Readers(Topology topology, Indexes masters, Indexes minions) {}

  /** The first server of a cluster that is not left alone just now, from one end or the other. */
  private final class Healthiest implements ServerChoice {
    private final boolean masterFirst;

    Healthiest(boolean masterFirst) {
      this.masterFirst = masterFirst;
    }

    @Override
    public Server of(StorageCluster cluster) {
      var all = new ArrayList<>(cluster.servers());
      if (!masterFirst) {
        Collections.reverse(all);
      }
      return all.stream().filter(servers::healthy).findFirst().orElse(all.get(0));
    }

    @Override
    public boolean isHealthy(Server server) {
      return servers.healthy(server);
    }
  }
}
