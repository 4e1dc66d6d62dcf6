package io.cellmesh.devstack.shipped;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a page in docs shows of a Java file: the lines between the comments {@code // docs: NAME}
 * and {@code // end of NAME}, so that it compiles, and runs where a test runs it.
 */
public final class JavaRegion {
  private static final Pattern REGION =
      Pattern.compile("(?ms)^ *// docs: ([a-z-]+)\\n(.*?)^ *// end of \\1\\n");

  private JavaRegion() {}

  /** The regions of a file by their names, each as a fenced block of markdown. */
  public static Map<String, String> blocks(Path source) throws IOException {
    var blocks = new LinkedHashMap<String, String>();
    var found = REGION.matcher(Files.readString(source));
    while (found.find()) {
      blocks.put(
          found.group(1),
          "```java\n%s\n```\n".formatted(found.group(2).stripTrailing().stripIndent()));
    }
    return blocks;
  }
}
