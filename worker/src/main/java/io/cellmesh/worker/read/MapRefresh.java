package io.cellmesh.worker.read;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.storage.TopologyTable;
import io.cellmesh.worker.load.UnavailableException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for a newer shard map: in the file, which may be an old one on this machine, and on the
 * servers. One of them is asked each time, in turn; all of them, until one has it, once a server
 * has told of an epoch that the map lacks. Run by one thread.
 */
public final class MapRefresh implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(MapRefresh.class);

  private final ShardMap map;
  private final ServerLanes servers;
  private int turn;

  public MapRefresh(ShardMap map, ServerLanes servers) {
    this.map = map;
    this.servers = servers;
  }

  @Override
  public void run() {
    map.refresh();
    for (var server : inTurn()) {
      if (ask(server) && map.isCurrent()) {
        return;
      }
    }
  }

  private List<Server> inTurn() {
    var all = new ArrayList<Server>();
    map.current().clusters().forEach(cluster -> all.addAll(cluster.servers()));
    Collections.rotate(all, -turn++);
    return all.stream().filter(servers::healthy).toList();
  }

  /** Whether it answered. */
  private boolean ask(Server server) {
    try {
      servers
          .ask(server, new TopologyTable(map.current())::read)
          .ifPresent(told -> map.offer(told, server.address()));
      return true;
    } catch (UnavailableException e) {
      LOG.debug("no map: {}", e.getMessage());
    } catch (SQLException | RuntimeException e) {
      // The next one is asked.
      LOG.warn("{} does not tell its map: {}", server.address(), e.getMessage());
    }
    return false;
  }
}
