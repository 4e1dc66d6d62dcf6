package io.cellmesh.cell;

/**
 * Input that can't become a cell. The message names the field, the value (shortened) and the rule;
 * it never carries a body.
 */
public final class InvalidCellException extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN = 48;

  private final String field;
  private final String rule;

  private InvalidCellException(String field, String message, String rule) {
    // Without a stack trace: it says nothing of the input, and would go with every rejected record.
    super(message, null, false, false);
    this.field = field;
    this.rule = rule;
  }

  /** A field whose value breaks a rule; the value is shortened to {@value #SHOWN} characters. */
  public static InvalidCellException of(String field, Object value, String rule) {
    return new InvalidCellException(field, field + " = " + shorten(value) + ": " + rule, rule);
  }

  /** A field that breaks a rule and whose value must not be shown or is absent. */
  public static InvalidCellException of(String field, String rule) {
    return new InvalidCellException(field, field + ": " + rule, rule);
  }

  /** The field at fault: a name of the envelope, or {@code record}. */
  public String field() {
    return field;
  }

  /** The rule that it breaks, or what is wrong with it. */
  public String rule() {
    return rule;
  }

  private static String shorten(Object value) {
    var text = String.valueOf(value);
    boolean whole = text.codePointCount(0, text.length()) <= SHOWN;
    var shown = whole ? text : text.substring(0, text.offsetByCodePoints(0, SHOWN));
    return '"' + Printable.of(shown) + (whole ? "\"" : "…\"");
  }
}
