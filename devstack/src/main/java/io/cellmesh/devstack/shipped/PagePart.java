package io.cellmesh.devstack.shipped;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A part of a page in docs, or of a YAML file, that follows from the code, between two comments.
 *
 * <p>A test calls {@link #expected} and compares. Run it with {@code -Dcellmesh.docs.write=true} to
 * bring the page up to date.
 */
public final class PagePart {
  private PagePart() {}

  /**
   * What the page should be.
   *
   * @param name of the part, in both comments
   * @param writer the class that the text comes from, in the first comment
   * @throws IllegalStateException if the page lacks the two comments
   */
  public static String expected(Path page, String name, String writer, String part)
      throws IOException {
    var text = Files.readString(page);
    var first = comment(page, name + ": written by " + writer);
    int begin = text.indexOf(first);
    int end = text.indexOf(comment(page, "end of " + name), begin);
    if (begin < 0 || end < 0) {
      throw new IllegalStateException(page + " has no place for the part " + name);
    }
    var expected = text.substring(0, begin) + first + part + text.substring(end);
    if (Boolean.getBoolean("cellmesh.docs.write")) {
      Files.writeString(page, expected);
    }
    return expected;
  }

  private static String comment(Path page, String words) {
    var form = page.toString().endsWith(".yaml") ? "# %s\n" : "<!-- %s -->\n";
    return form.formatted(words);
  }
}
