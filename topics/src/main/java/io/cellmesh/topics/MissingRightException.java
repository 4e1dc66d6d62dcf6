package io.cellmesh.topics;

import io.cellmesh.deployment.KafkaAccess;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/**
 * A user lacks a right on Kafka: names both, where Kafka's own message names the resource alone.
 */
public final class MissingRightException extends KafkaException {
  private static final long serialVersionUID = 1L;

  /**
   * @param who signed on
   * @param operation as ACLs call it, such as Read
   * @param resource such as {@code group NAME}
   */
  MissingRightException(
      String who, String operation, String resource, AuthorizationException refusal) {
    super(
        "%s may not %s %s; `cellmesh grants --kafka --role ROLE` prints the ACLs of each role"
            .formatted(who, operation, resource),
        refusal);
  }

  /**
   * @param kafka how the user signed on
   */
  public static MissingRightException of(
      KafkaAccess kafka, String operation, AuthorizationException refusal) {
    return new MissingRightException(who(kafka), operation, resource(refusal), refusal);
  }

  /** Who signs on, for messages. */
  static String who(KafkaAccess kafka) {
    return kafka.user().map(user -> "user " + user).orElse("who signed on");
  }

  private static String resource(AuthorizationException refusal) {
    if (refusal instanceof TopicAuthorizationException topics
        && !topics.unauthorizedTopics().isEmpty()) {
      return "topic " + String.join(", ", topics.unauthorizedTopics());
    }
    return "that (%s)".formatted(refusal.getMessage());
  }
}
