package io.cellmesh.index;

import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.MissingRightException;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/**
 * Names the right that a pass lacks on Kafka, by what it does with the resource that was refused.
 *
 * @param application its consumer group, with whose name its own topics begin
 * @param sources the topics that it reads
 */
record PassRights(KafkaAccess kafka, String application, Set<String> sources) {
  /** As {@code cellmesh grants} calls it. */
  static final String ROLE = "index-streams";

  PassRights {
    sources = Set.copyOf(sources);
  }

  /** Finds the right whose lack a failure comes from; empty if it has another reason. */
  Optional<MissingRightException> missing(Throwable failure) {
    return MissingRightException.refusalIn(failure).map(this::lack).map(lack -> lack.inRole(ROLE));
  }

  private MissingRightException lack(AuthorizationException refusal) {
    if (refusal instanceof GroupAuthorizationException) {
      return MissingRightException.of(kafka, "Read", "group " + application, refusal);
    }
    boolean ofTopics = refusal instanceof TopicAuthorizationException;
    return MissingRightException.of(
        kafka, ofTopics ? right((TopicAuthorizationException) refusal) : "do", refusal);
  }

  private String right(TopicAuthorizationException refusal) {
    var topics = refusal.unauthorizedTopics();
    if (topics.stream().allMatch(sources::contains)) {
      return "Read";
    }
    return topics.stream().anyMatch(topic -> topic.startsWith(application + "-"))
        ? "Read, Write, Create"
        : "Write";
  }
}
