package io.cellmesh.e2e.mutation;

import java.util.ArrayList;

/**
 * One line of the product, and how an engineer could get it wrong.
 *
 * @param breaks number of the invariant that it breaks
 * @param what goes wrong then
 * @param file from the root of the checkout
 * @param line text of the line, without the spaces around it
 * @param becomes what stands there instead; empty to leave the line out
 * @param killedBy the test that is to fail
 */
record Mutation(
    String name,
    int breaks,
    String what,
    String file,
    String line,
    String becomes,
    NamedTest killedBy) {
  /** Of the module that the file belongs to, from the root of the checkout. */
  String module() {
    return file.substring(0, file.indexOf("/src/main/java/"));
  }

  /**
   * Breaks the file.
   *
   * @param source the file's text
   * @throws DriftException if the line is not there exactly once
   */
  String in(String source) {
    var broken = new ArrayList<String>();
    int found = 0;
    for (var one : source.split("\n", -1)) {
      boolean meant = one.strip().equals(line);
      found += meant ? 1 : 0;
      broken.add(meant ? becomes : one);
    }
    if (found != 1) {
      throw new DriftException(
          "%s: %s has this line %s; it must be there once: %s"
              .formatted(name, file, found == 0 ? "no more" : found + " times", line));
    }
    return String.join("\n", broken);
  }

  /** The list does not fit the code any more; the message names the entry. */
  static final class DriftException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    DriftException(String message) {
      super(message);
    }
  }
}
