package io.cellmesh.herb;

import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MissingRightException;
import java.util.Optional;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/**
 * Names the right that a link lacks, and on which of both Kafkas: it reads there and writes here.
 *
 * @param group its consumer group there
 */
record LinkRights(KafkaAccess here, KafkaAccess there, Topics topics, String group) {
  /** As {@code cellmesh grants} calls it. */
  static final String ROLE = "herb-replicator";

  /** Finds the right whose lack a failure comes from; empty if it has another reason. */
  Optional<MissingRightException> missing(Throwable failure) {
    return MissingRightException.refusalIn(failure).map(this::lack).map(lack -> lack.inRole(ROLE));
  }

  /** The right to learn there who the peer is, without which a link works, too. */
  MissingRightException ofIdentity(AuthorizationException refusal) {
    return MissingRightException.of(there, "Read", "topic " + topics.meshPlace(), refusal)
        .inRole(ROLE);
  }

  private boolean isSeed(String topic) {
    return topic.startsWith(topics.seed(""));
  }

  private MissingRightException lack(AuthorizationException refusal) {
    if (refusal instanceof GroupAuthorizationException) {
      return MissingRightException.of(there, "Read", "group " + group, refusal);
    }
    if (refusal instanceof TopicAuthorizationException of) {
      var refused = of.unauthorizedTopics();
      if (refused.contains(topics.log()) || refused.stream().anyMatch(this::isSeed)) {
        return MissingRightException.of(there, "Read", refusal);
      }
      boolean own = refused.contains(topics.meshPlace());
      return MissingRightException.of(here, own ? "Read, Write, Create" : "Write", refusal);
    }
    return MissingRightException.of(there, "do", refusal);
  }
}
