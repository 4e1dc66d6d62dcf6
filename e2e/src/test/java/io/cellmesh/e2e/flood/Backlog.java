package io.cellmesh.e2e.flood;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.GroupLag;
import io.cellmesh.topics.TopicOffsets;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;

/**
 * What a data centre has not read of a peer's log, or not sunk of its mesh topic. It keeps its
 * clients: to open four for each look would have the flood, and not the rest before it, share the
 * processors with them.
 */
final class Backlog implements AutoCloseable {
  private final DataCenter from;
  private final DataCenter to;
  private final Admin there;
  private final Consumer<byte[], byte[]> log;
  private final Admin here;
  private final Consumer<byte[], byte[]> mesh;
  private long most;

  Backlog(DataCenter from, DataCenter to) {
    this.from = from;
    this.to = to;
    this.there = Consumers.admin(from.kafka());
    this.log = Consumers.open(from.kafka());
    this.here = Consumers.admin(to.kafka());
    this.mesh = Consumers.open(to.kafka());
  }

  /** Counts what is unread and what is unsunk; others' cells alone leave some. */
  long look() throws Exception {
    return unsunk()
        + GroupLag.of(
            GroupLag.committed(there, InstanceNames.linkGroup("trips", to.name())),
            TopicOffsets.of(log, from.topology().topics().log()));
  }

  /** The most that stood in a partition of the mesh topic when it was looked at. */
  long most() {
    return most;
  }

  private long unsunk() throws Exception {
    var committed = GroupLag.committed(here, InstanceNames.cellSink("trips"));
    var ends = TopicOffsets.of(mesh, to.topology().topics().mesh());
    long all = 0;
    for (int partition = 0; partition < ends.partitions(); partition++) {
      var at = committed.get(ends.partition(partition));
      long lag = Math.max(0, ends.end(partition) - (at == null ? 0 : at.offset()));
      most = Math.max(most, lag);
      all += lag;
    }
    return all;
  }

  @Override
  public void close() {
    mesh.close();
    here.close();
    log.close();
    there.close();
  }
}
