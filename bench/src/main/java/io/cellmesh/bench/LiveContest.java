package io.cellmesh.bench;

import io.cellmesh.devstack.Progress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/**
 * Who brings a single cell through soonest: ours as shipped from the minion, then, with the minion
 * at rest, ours and the peer from the master.
 */
final class LiveContest {
  private static final int WARM_UP = 8000;

  private final LogServers servers;
  private final LogHarness our;
  private final LogHarness peer;
  private final Live live;
  private final List<LiveFigures> figures = new ArrayList<>();

  LiveContest(LogServers servers, LogHarness our, LogHarness peer, Progress progress) {
    this.servers = servers;
    this.our = our;
    this.peer = peer;
    this.live = new Live(servers, progress);
  }

  /** Leaves the minion without replication. */
  List<LiveFigures> run() throws Exception {
    measure(our.changed("ours, minion", our.source().connector()));
    servers.minion().execute("STOP REPLICA");
    measure(our.changed("ours, master", OurLog.FROM_MASTER));
    var settings = new HashMap<>(PeerLog.live());
    settings.putAll(PeerLog.reading(servers.master()));
    measure(peer.changed("peer, master", settings));
    return figures;
  }

  private void measure(LogHarness harness) throws Exception {
    harness.run();
    live.measure(harness.source(), 1000, WARM_UP);
    figures.add(live.measure(harness.source(), 100, 1500));
    figures.add(live.measure(harness.source(), 1000, 15_000));
    harness.rest();
  }
}
