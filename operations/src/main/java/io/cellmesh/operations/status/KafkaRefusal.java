package io.cellmesh.operations.status;

import java.util.Optional;
import java.util.regex.Pattern;

/** What a connector's role lacks on Kafka, which the trace of its task tells only who knows it. */
final class KafkaRefusal {
  private static final Pattern REFUSED =
      Pattern.compile("errors\\.(Topic|Group|TransactionalId|Cluster)AuthorizationException: (.*)");

  /**
   * What Connect says where the connector may not even see that a topic is there: a source's own,
   * or that of a sink's dead letters.
   */
  private static final Pattern UNSEEN =
      Pattern.compile(
          "(?:Task failed to create new topic \\(name|Could not initialize dead letter queue with topic)=([^,\\s]+)");

  private KafkaRefusal() {}

  /**
   * Finds the right that is missing.
   *
   * @param role as {@code cellmesh grants --kafka} knows it
   * @return empty if the task has failed for another reason
   */
  static Optional<String> of(String trace, String role) {
    var unseen = UNSEEN.matcher(trace);
    if (unseen.find()) {
      return Optional.of(text("Write on the topic", unseen.group(1), role));
    }
    var refused = REFUSED.matcher(trace);
    if (!refused.find()) {
      return Optional.empty();
    }
    boolean writes = role.equals("source") || trace.contains("producer");
    var right =
        switch (refused.group(1)) {
          case "Topic" -> (writes ? "Write" : "Read") + " on the topic";
          case "Group" -> "Read on the group";
          case "TransactionalId" -> "Write on its transactional ids";
          default -> "a right on the cluster";
        };
    return Optional.of(text(right, refused.group(2).strip(), role));
  }

  private static String text(String right, String what, String role) {
    return "its Kafka user lacks %s: %s; `cellmesh grants --kafka --role %s` prints its ACLs"
        .formatted(right, what, role);
  }
}
