package io.cellmesh.herb;

import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MissingRightException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;

/**
 * Names the right that the proof lacks.
 *
 * @param kafka that refused it
 * @param names how its groups and transactions begin
 */
record ProofRights(KafkaAccess kafka, String names) {
  /** As {@code cellmesh grants} calls it. */
  private static final String ROLE = "herb-replicator";

  /** What is done with one Kafka. */
  interface Asking {
    void run() throws InterruptedException;
  }

  /**
   * Does it.
   *
   * @throws MissingRightException in place of a refusal
   */
  void naming(Asking asking) throws InterruptedException {
    try {
      asking.run();
    } catch (RuntimeException e) {
      throw named(e);
    }
  }

  /** The right whose lack a failure comes from, else the failure. */
  RuntimeException named(RuntimeException failure) {
    return MissingRightException.refusalIn(failure)
        .<RuntimeException>map(this::lack)
        .orElse(failure);
  }

  private MissingRightException lack(AuthorizationException refusal) {
    MissingRightException lack;
    if (refusal instanceof GroupAuthorizationException) {
      lack = MissingRightException.of(kafka, "Read", "group " + names, refusal);
    } else if (refusal instanceof TransactionalIdAuthorizationException) {
      lack = MissingRightException.of(kafka, "Write", "transactional-id " + names, refusal);
    } else {
      lack = MissingRightException.of(kafka, "Read", refusal);
    }
    return lack.inRole(ROLE);
  }
}
