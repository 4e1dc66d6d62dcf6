package io.cellmesh.deployment;

import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/**
 * A user lacks a right on Kafka: names user, right and resource, where Kafka's own message names
 * the resource at most.
 */
public final class MissingRightException extends KafkaException {
  private static final long serialVersionUID = 1L;

  private final String lack;

  private MissingRightException(String lack, String remedy, Throwable refusal) {
    super(lack + "; " + remedy, refusal);
    this.lack = lack;
  }

  private static MissingRightException of(
      String who, String right, String resource, AuthorizationException refusal) {
    return new MissingRightException(
        "%s may not %s %s".formatted(who, right, resource),
        "`cellmesh grants --kafka --role ROLE` prints the ACLs of each role",
        refusal);
  }

  /**
   * Names what a refusal is about, where it says that itself.
   *
   * @param kafka how the user signed on
   * @param right as ACLs call it, such as Read
   */
  public static MissingRightException of(
      KafkaAccess kafka, String right, AuthorizationException refusal) {
    return of(kafka, right, resource(refusal), refusal);
  }

  /**
   * @param resource such as {@code group NAME}
   */
  public static MissingRightException of(
      KafkaAccess kafka, String right, String resource, AuthorizationException refusal) {
    return of(
        kafka.user().map(user -> "user " + user).orElse("who signed on"),
        right,
        "%s at %s".formatted(resource, kafka),
        refusal);
  }

  /** Where it is not known who signed on. */
  public static MissingRightException of(
      String right, String resource, AuthorizationException refusal) {
    return of("who signed on", right, resource, refusal);
  }

  /** Finds the refusal that a failure comes from. */
  public static Optional<AuthorizationException> refusalIn(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof AuthorizationException refusal) {
        return Optional.of(refusal);
      }
    }
    return Optional.empty();
  }

  /** Says it for a role that is known, as {@code cellmesh grants} calls it. */
  public MissingRightException inRole(String role) {
    return new MissingRightException(
        lack, "`cellmesh grants --kafka --role %s` prints its ACLs".formatted(role), getCause());
  }

  private static String resource(AuthorizationException refusal) {
    if (refusal instanceof TopicAuthorizationException topics
        && !topics.unauthorizedTopics().isEmpty()) {
      return "topic " + String.join(", ", topics.unauthorizedTopics());
    }
    return "that (%s)".formatted(refusal.getMessage());
  }
}
