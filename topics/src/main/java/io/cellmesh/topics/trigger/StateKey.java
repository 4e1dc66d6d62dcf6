package io.cellmesh.topics.trigger;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * A key of the state topic: the trigger's name and what the value tells of it, joined by {@code |},
 * which neither a name nor a row key has.
 */
public sealed interface StateKey {
  TriggerName trigger();

  /** The part behind the trigger's name, with its {@code |}; empty for the creation. */
  String rest();

  /** Prints the key as it stands in the topic. */
  default String text() {
    return trigger().text() + rest();
  }

  default byte[] bytes() {
    return text().getBytes(StandardCharsets.UTF_8);
  }

  /** The {@link Creation}, in each partition. */
  record OfCreation(TriggerName trigger) implements StateKey {
    @Override
    public String rest() {
      return "";
    }
  }

  /** The {@link ParkedRow}, in the row's partition. */
  record OfRow(TriggerName trigger, UUID row) implements StateKey {
    @Override
    public String rest() {
      return "|row|" + row;
    }
  }

  /** The {@link CellAttempts} of the one cell of a row that is tried, in the row's partition. */
  record OfAttempts(TriggerName trigger, UUID row) implements StateKey {
    @Override
    public String rest() {
      return "|attempts|" + row;
    }
  }

  /** The {@link Pause}, in each partition. */
  record OfPause(TriggerName trigger) implements StateKey {
    @Override
    public String rest() {
      return "|pause";
    }
  }

  /**
   * A {@link Request}, in each partition, or in the row's.
   *
   * @param id of the request, the same in each partition; has no {@code |}
   */
  record OfRequest(TriggerName trigger, String id) implements StateKey {
    public OfRequest {
      requirePart("request", id);
    }

    @Override
    public String rest() {
      return "|request|" + id;
    }
  }

  /**
   * The {@link MemberHealth}, in partition 0.
   *
   * @param member the id that Kafka's coordinator gave it; has no {@code |}
   */
  record OfHealth(TriggerName trigger, String member) implements StateKey {
    public OfHealth {
      requirePart("member", member);
    }

    @Override
    public String rest() {
      return "|health|" + member;
    }
  }

  /** What a later version of cellmesh keeps, of which this one knows no more than whose it is. */
  record OfSomethingElse(TriggerName trigger, String rest) implements StateKey {}

  /**
   * Parses a key.
   *
   * @throws FieldException if it is none
   */
  static StateKey parse(byte[] key) throws FieldException {
    if (key == null) {
      throw new FieldException("key", "missing");
    }
    var text = new String(key, StandardCharsets.UTF_8);
    int end = text.indexOf('|');
    var trigger = trigger(end < 0 ? text : text.substring(0, end));
    if (end < 0) {
      return new OfCreation(trigger);
    }
    var rest = text.substring(end);
    var parts = rest.substring(1).split("\\|", 2);
    if (parts.length == 1) {
      return parts[0].equals("pause") ? new OfPause(trigger) : new OfSomethingElse(trigger, rest);
    }
    return switch (parts[0]) {
      case "row" -> new OfRow(trigger, row(parts[1]));
      case "attempts" -> new OfAttempts(trigger, row(parts[1]));
      case "request" -> new OfRequest(trigger, part(parts[1]));
      case "health" -> new OfHealth(trigger, part(parts[1]));
      default -> new OfSomethingElse(trigger, rest);
    };
  }

  /** Whether a key is of a trigger, even where what stands behind the name is damaged. */
  static boolean belongsTo(TriggerName trigger, byte[] key) {
    if (key == null) {
      return false;
    }
    var text = new String(key, StandardCharsets.UTF_8);
    return text.equals(trigger.text()) || text.startsWith(trigger.text() + "|");
  }

  private static TriggerName trigger(String text) throws FieldException {
    try {
      return new TriggerName(text);
    } catch (IllegalArgumentException e) {
      throw new FieldException("key", e.getMessage());
    }
  }

  private static UUID row(String text) throws FieldException {
    try {
      var row = UUID.fromString(text);
      if (row.toString().equals(text)) {
        return row;
      }
    } catch (IllegalArgumentException e) {
      // Told below, as one that is written otherwise.
    }
    throw new FieldException("key", "the row is not a UUID in its 36 lower-case characters");
  }

  private static String part(String text) throws FieldException {
    try {
      return requirePart("key", text);
    } catch (IllegalArgumentException e) {
      throw new FieldException("key", e.getMessage());
    }
  }

  private static String requirePart(String what, String text) {
    if (text.isEmpty() || text.indexOf('|') >= 0) {
      throw new IllegalArgumentException(
          "%s = \"%s\": must not be empty nor have a |".formatted(what, text));
    }
    return text;
  }
}
