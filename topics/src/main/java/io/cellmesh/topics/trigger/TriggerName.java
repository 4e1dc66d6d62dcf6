package io.cellmesh.topics.trigger;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.Printable;
import java.util.regex.Pattern;

/**
 * The name of a trigger, which becomes part of a group's id, of transactional ids and of keys.
 *
 * @param text 1 to 64 letters, digits, {@code -} and {@code _}
 */
public record TriggerName(String text) implements Comparable<TriggerName> {
  private static final Pattern RULE = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final int SHOWN = 80;

  /**
   * @throws IllegalArgumentException naming the value and the rule
   */
  public TriggerName {
    if (text == null || !RULE.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "trigger = \"%s\": must be 1 to 64 letters (a to z, A to Z), digits, - and _"
              .formatted(shown(text)));
    }
  }

  /** Names the group in which the trigger's processes share its partitions. */
  public String group(String instance) {
    return InstanceNames.triggerGroup(instance, text);
  }

  /** Names the one transactional id under which the trigger is created and deleted. */
  String creationId(String instance) {
    return group(instance) + "-create";
  }

  @Override
  public int compareTo(TriggerName other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }

  private static String shown(String text) {
    var whole = String.valueOf(text);
    var shown = Printable.of(whole.substring(0, Math.min(SHOWN, whole.length())));
    return whole.length() > SHOWN ? shown + "…" : shown;
  }
}
