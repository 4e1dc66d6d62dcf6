package io.cellmesh.connect.sink.index;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.connect.sink.base.MetricsHome;
import io.cellmesh.connect.sink.base.Rejections;
import io.cellmesh.devstack.MySqlServer;
import io.cellmesh.devstack.SharedMasters;
import io.cellmesh.storage.InstanceSchema;
import io.cellmesh.storage.Pools;
import io.cellmesh.storage.index.IndexSchema;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** {@link SharedMasters} with the tables of some indexes, and sinks that write to them. */
final class SinkMasters implements BeforeAllCallback, AfterAllCallback {
  private final List<IndexDefinition> definitions;
  private final Pools pools = new Pools(new Credentials("root", ""));
  private Topology topology;

  SinkMasters(List<IndexDefinition> definitions) {
    this.definitions = definitions;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    topology = SharedMasters.stack().topology("dc1");
    for (var cluster : topology.clusters()) {
      new InstanceSchema(topology, pools).create(cluster, made -> {});
    }
    for (var definition : definitions) {
      new IndexSchema(topology, definition, pools).create(made -> {});
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    pools.close();
  }

  Topology topology() {
    return topology;
  }

  Pools pools() {
    return pools;
  }

  MySqlServer master(String cluster) {
    return SharedMasters.stack().cluster("dc1", cluster).master();
  }

  /**
   * @param indexes their definitions, as a connector is told them
   */
  IndexSink sink(String indexes, Rejections rejections) {
    var settings =
        Map.of(
            "topology",
            TopologyYaml.write(topology),
            "indexes",
            indexes,
            "mysql.user",
            "root",
            "kafka.bootstrap.servers",
            "127.0.0.1:1");
    return IndexSink.start(
        new IndexSinkConfig(settings),
        rejections,
        new IndexSinkMetrics(MetricsHome.nowhere(), topology));
  }
}
