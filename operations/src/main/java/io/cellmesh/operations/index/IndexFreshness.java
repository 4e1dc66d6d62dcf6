package io.cellmesh.operations.index;

import io.cellmesh.connect.client.ConnectClientException;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.operations.ConnectClients;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.GroupLag;
import io.cellmesh.topics.TopicOffsets;
import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * Whether a version of an index still has what the one has that serves. Both are complete and kept
 * fresh; but the pass of one may have halted since, or its connector failed or gone.
 */
final class IndexFreshness {
  /** index-streams commits each second. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration POLL = Duration.ofMillis(250);

  private final IndexSite site;

  IndexFreshness(IndexSite site) {
    this.site = site;
  }

  /**
   * Refuses a version that was left behind. Where Kafka or Connect can't be asked it refuses
   * nothing: whoever turns back to a version that is right need not wait for them.
   *
   * @throws OperationException saying what the wanted version lacks
   */
  void require(IndexVersion wanted, IndexVersion serving) throws InterruptedException {
    if (wanted.pass().equals(serving.pass())) {
      return;
    }
    try {
      requireRead(wanted, serving);
      if (!hasWriter(wanted) && hasWriter(serving)) {
        throw OperationException.refused(
            "version %d of %s is not kept fresh: its connector %s has failed or is gone; see `cellmesh status`, bring it back, and run this again once `cellmesh index status` has nothing to write"
                .formatted(wanted.version(), wanted.name(), site.connector(wanted.pass())));
      }
    } catch (KafkaException | ConnectClientException | DeploymentException e) {
      // They can't be asked.
    }
  }

  private void requireRead(IndexVersion wanted, IndexVersion serving) throws InterruptedException {
    try (var client = Consumers.open(site.dc().kafka());
        var admin = Consumers.admin(site.dc().kafka())) {
      var log = TopicOffsets.of(client, site.topology().topics().log());
      if (!Waiting.within(PATIENCE, POLL, () -> left(admin, wanted, log) == 0)) {
        refuse(wanted, left(admin, wanted, log), serving, left(admin, serving, log));
      }
    }
  }

  /**
   * @param left records of the log that the wanted version's pass has not read
   * @param leftOfServing the same of the version that serves
   */
  static void refuse(IndexVersion wanted, long left, IndexVersion serving, long leftOfServing) {
    if (left > 0 && leftOfServing == 0) {
      throw OperationException.refused(
          "version %d of %s lacks what %d records of the log tell, which version %d has: its pass %s is halted or far behind; see `cellmesh index status` and the log of index-streams, and run this again when it has caught up"
              .formatted(wanted.version(), wanted.name(), left, serving.version(), wanted.pass()));
    }
  }

  private long left(Admin admin, IndexVersion version, TopicOffsets log)
      throws InterruptedException {
    return GroupLag.of(GroupLag.committed(admin, site.application(version.pass())), log);
  }

  private boolean hasWriter(IndexVersion version) {
    return ConnectClients.of(site.dc())
        .status(site.connector(version.pass()))
        .filter(status -> status.failure().isEmpty())
        .isPresent();
  }
}
