package io.cellmesh.client;

import java.util.Optional;

/**
 * What a worker says of a call that it does not do, as RFC 9457 has it.
 *
 * @param status the HTTP status; 0 if no worker gave an answer
 * @param type a URI that names the kind of problem; {@code about:blank} if none is told
 * @param title the kind of problem in words
 * @param detail what is wrong, with the field's value and the rule
 * @param field the field at fault
 * @param rule the rule that it breaks
 */
record Problem(
    int status,
    String type,
    String title,
    String detail,
    Optional<String> field,
    Optional<String> rule) {
  private static final String BLANK = "about:blank";

  /** A status of which nothing more is known. */
  static Problem of(int status, String detail) {
    return new Problem(status, BLANK, "", detail, Optional.empty(), Optional.empty());
  }

  /** Reads a problem; what it leaves out is taken as empty. */
  static Problem read(int status, Part json) throws WrongAnswerException {
    var fields = json.fields();
    return new Problem(
        status,
        fields.text("type").orElse(BLANK),
        fields.text("title").orElse(""),
        fields.text("detail").orElse(""),
        fields.text("field"),
        fields.text("rule"));
  }
}
