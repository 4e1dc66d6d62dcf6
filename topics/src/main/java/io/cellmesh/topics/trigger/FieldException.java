package io.cellmesh.topics.trigger;

/** Names the field of a record that is not as it must be, what it holds, and the rule. */
public final class FieldException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String field;

  FieldException(String field, String rule) {
    super(field + ": " + rule);
    this.field = field;
  }

  FieldException(String field, Object value, String rule) {
    super("%s = %s: %s".formatted(field, value, rule));
    this.field = field;
  }

  /** Returns the field, with dots where it stands in another one: {@code reason.class}. */
  public String field() {
    return field;
  }
}
