package io.cellmesh.devstack;

import io.cellmesh.devstack.StackPlan.DcPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The children that a plan asks for, in the plan's order. */
record Members(
    Map<String, MySqlServer> servers,
    Map<String, List<KafkaBroker>> brokers,
    Map<String, List<ConnectWorker>> workers) {

  static Members of(StackPlan plan, Household household) {
    var servers = new LinkedHashMap<String, MySqlServer>();
    var brokers = new LinkedHashMap<String, List<KafkaBroker>>();
    var workers = new LinkedHashMap<String, List<ConnectWorker>>();
    for (var dc : plan.dcs()) {
      for (var cluster : dc.clusters()) {
        for (var server : cluster.servers()) {
          servers.put(server.name(), server(plan, server, household));
        }
      }
      if (!dc.brokers().isEmpty()) {
        brokers.put(
            dc.name(),
            dc.brokers().stream()
                .map(broker -> new KafkaBroker(broker, dc.brokers(), household))
                .toList());
        workers.put(dc.name(), workers(dc, household));
      }
    }
    return new Members(servers, brokers, workers);
  }

  /** A server of the plan. */
  static MySqlServer server(StackPlan plan, StackPlan.ServerPlan server, Household household) {
    return new MySqlServer(
        server.name(),
        plan.dist(),
        new MySqlSettings(
            server.port(),
            server.serverId(),
            server.domain(),
            server.bufferPoolMiB(),
            server.settings()),
        household);
  }

  private static List<ConnectWorker> workers(DcPlan dc, Household household) {
    var bootstrap = KafkaBroker.bootstrap(dc.brokers());
    return dc.workers().stream()
        .map(worker -> new ConnectWorker(worker, bootstrap, household))
        .toList();
  }

  /** Those that use others first. */
  List<Child> all() {
    var all = new ArrayList<Child>();
    workers.values().forEach(all::addAll);
    brokers.values().forEach(all::addAll);
    all.addAll(servers.values());
    return all;
  }
}
