package io.cellmesh.topics.trigger;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Why a cell failed or was parked, shortened.
 *
 * @param type the class of what was thrown; empty where nothing was
 * @param message what that said, empty if nothing; where nothing was thrown, why in words
 */
public record Reason(String type, String message) {
  /** Most characters of a class and of a message. */
  public static final int LONGEST = 1_000;

  public Reason {
    type = shortened(type);
    message = shortened(message == null ? "" : message);
  }

  /** Says in words what nothing was thrown for. */
  public static Reason of(String words) {
    return new Reason("", words);
  }

  /** Tells what was thrown; whatever that is, this throws nothing. */
  public static Reason of(Throwable thrown) {
    return new Reason(thrown.getClass().getName(), message(thrown));
  }

  /** Of a user's own exception, which may fail itself when it is asked. */
  private static String message(Throwable thrown) {
    try {
      return thrown.getMessage();
    } catch (RuntimeException | Error e) {
      return "what it says can't be told, by " + e.getClass().getName();
    }
  }

  /** In one line, for a person. */
  public String text() {
    return type.isEmpty() || message.isEmpty() ? type + message : type + ": " + message;
  }

  ObjectNode toJson() {
    return StateFields.object().put("class", type).put("message", message);
  }

  static Reason read(StateFields fields) throws FieldException {
    return new Reason(fields.text("class"), fields.text("message"));
  }

  /** Cuts no character in two. */
  private static String shortened(String text) {
    return text.codePointCount(0, text.length()) <= LONGEST
        ? text
        : text.substring(0, text.offsetByCodePoints(0, LONGEST - 1)) + "…";
  }
}
