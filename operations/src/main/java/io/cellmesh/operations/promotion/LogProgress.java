package io.cellmesh.operations.promotion;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.LogOffset;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.client.ConnectClientException;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.log.LogSources;
import io.cellmesh.operations.log.SourceStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which transactions of a cluster the log has shown, by what Connect has stored. */
final class LogProgress {
  private final DataCenter site;
  private final StorageCluster cluster;
  private final LogSources sources;

  LogProgress(DataCenter site, Topology topology, StorageCluster cluster) {
    this.site = site;
    this.cluster = cluster;
    this.sources = new LogSources(site.with(topology));
  }

  /**
   * All that every log of the cluster has shown.
   *
   * @throws OperationException if what Connect has stored of one can't be read
   */
  GtidSet shown() {
    var found = ofCluster();
    for (var source : found) {
      source
          .damage()
          .ifPresent(
              why -> {
                throw OperationException.refused(
                    "what the log has shown is not known: the stored offset of %s can't be read: %s; `cellmesh log rebuild --cluster %s` stores another"
                        .formatted(source.connector().name(), why, cluster.name()));
              });
    }
    return found.stream()
        .flatMap(source -> source.offset().stream())
        .flatMap(offset -> offset.gtids().stream())
        .map(GtidSet::parse)
        .reduce(GtidSet.EMPTY, GtidSet::with);
  }

  /**
   * Whether a log can say how far it is: a source of the cluster runs and has stored its place. One
   * that does not run may have stood still for longer than a backup is old.
   */
  boolean speaks() {
    return ofCluster().stream()
        .anyMatch(
            source ->
                source.state().isRunning()
                    && source.offset().flatMap(LogOffset::gtids).isPresent());
  }

  /**
   * Has the sources store how far they are: Connect does so now and then, and when a task ends.
   *
   * @return what a person should know if one could not
   */
  Optional<String> flush() {
    var failed = new ArrayList<String>();
    var connect = ConnectClients.of(site);
    for (var source : ofCluster()) {
      if (source.state().isRunning()) {
        try {
          connect.restartTask(source.connector().name(), 0);
        } catch (ConnectClientException e) {
          failed.add(source.connector().name());
        }
      }
    }
    return failed.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s could not be asked how far the log is; what it had stored before was compared"
                .formatted(String.join(", ", failed)));
  }

  private List<SourceStatus> ofCluster() {
    return sources.all().stream()
        .filter(source -> source.connector().cluster().name().equals(cluster.name()))
        .toList();
  }
}
