package io.cellmesh.operations.log;

import io.cellmesh.cell.LogOffset;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.log.RebuildPlan.Found;
import io.cellmesh.topics.LogShape;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The source connectors of a data centre, and how they are just now. */
public final class LogSources {
  private final DataCenter site;
  private final Connect connect;

  public LogSources(DataCenter site) {
    this(site, new ConnectRest(ConnectClients.of(site)));
  }

  LogSources(DataCenter site, Connect connect) {
    this.site = site;
    this.connect = connect;
  }

  /** One for each cluster, or an error that says what to do. */
  List<SourceConnector> of(List<StorageCluster> clusters, Optional<LogShape> shape) {
    return search().of(clusters, shape);
  }

  /** Everything about all of them, by the names of their clusters and their own. */
  public List<SourceStatus> all() {
    return search().all().stream()
        .sorted(
            Comparator.comparing((SourceConnector source) -> source.cluster().name())
                .thenComparing(SourceConnector::name))
        .map(this::status)
        .toList();
  }

  private SourceStatus status(SourceConnector source) {
    var stored = stored(source);
    return new SourceStatus(source, state(source), stored.offset(), stored.damage());
  }

  Found find(SourceConnector source) {
    return new Found(source, state(source), offset(source));
  }

  SourceState state(SourceConnector source) {
    return SourceState.of(connect.status(source.name()));
  }

  /** Empty also where what is stored can't be read, since no task goes on from it either. */
  Optional<LogOffset> offset(SourceConnector source) {
    return stored(source).offset();
  }

  private StoredOffset stored(SourceConnector source) {
    return StoredOffset.of(connect.offsets(source.name()), source.server());
  }

  Connect connect() {
    return connect;
  }

  DataCenter site() {
    return site;
  }

  private SourceSearch search() {
    return new SourceSearch(site.topology(), connect.connectors(), connect.address());
  }
}
