package io.cellmesh.cell.index;

/**
 * A cell or a record that does not fit an index. The message names the field and the rule; it never
 * shows the value, which is the user's data.
 */
public final class MisfitException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final String rule;

  public MisfitException(String field, String rule) {
    super(field + ": " + rule);
    this.field = field;
    this.rule = rule;
  }

  /** The field at fault: its name in the index, or {@code record}. */
  public String field() {
    return field;
  }

  /** What the field should have been. */
  public String rule() {
    return rule;
  }
}
