package io.cellmesh.connect.source;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * How Connect would create a topic that is not there: the settings {@code topic.creation.*} of a
 * connector. Connect itself checks how they are written, so what it would refuse is passed over.
 */
final class TopicCreation {
  private static final String PREFIX = "topic.creation.";
  private static final String GROUPS = PREFIX + "groups";
  private static final String DEFAULT = "default";

  private final Map<String, String> settings;

  TopicCreation(Map<String, String> settings) {
    this.settings = settings;
  }

  /**
   * Tells why a topic must not be left to Connect; empty if it would have that many partitions, or
   * if Connect creates none for this connector.
   */
  Optional<String> refusal(String topic, int partitions) {
    var group = group(topic);
    var setting = PREFIX + group + ".partitions";
    var made = settings.getOrDefault(setting, settings.get(PREFIX + DEFAULT + ".partitions"));
    if (made == null || made.trim().equals(Integer.toString(partitions))) {
      return Optional.empty();
    }
    return Optional.of(
        "Connect would make %s with %s partitions (%s) and not the %d of the topology; see connectors/cell-source.json for a group of topics that fits"
            .formatted(topic, made, setting, partitions));
  }

  /** The first one whose patterns the topic's name matches. */
  private String group(String topic) {
    return list(GROUPS).stream()
        .filter(
            group ->
                matches(PREFIX + group + ".include", topic)
                    && !matches(PREFIX + group + ".exclude", topic))
        .findFirst()
        .orElse(DEFAULT);
  }

  private boolean matches(String setting, String topic) {
    return list(setting).stream().anyMatch(pattern -> matchesPattern(pattern, topic));
  }

  private static boolean matchesPattern(String pattern, String topic) {
    try {
      return Pattern.matches(pattern, topic);
    } catch (PatternSyntaxException e) {
      return false;
    }
  }

  private List<String> list(String setting) {
    return Arrays.stream(settings.getOrDefault(setting, "").split(","))
        .map(String::trim)
        .filter(text -> !text.isEmpty())
        .toList();
  }
}
