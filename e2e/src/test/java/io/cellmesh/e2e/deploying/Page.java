package io.cellmesh.e2e.deploying;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What a page says is to be written, started and run, in the page's order. */
final class Page {
  private static final Pattern PART =
      Pattern.compile(
          "<!-- (?<kind>run|file|unit)(?:: (?<name>[a-z.-]+))? -->\n```[a-z]+\n(?<text>.*?)```",
          Pattern.DOTALL);

  private Page() {}

  /**
   * @param kind run, file or unit
   * @param name of a file or a unit; null for what is run
   */
  record Part(String kind, String name, String text) {}

  static List<Part> read(Path file) throws IOException {
    var parts = new ArrayList<Part>();
    var found = PART.matcher(Files.readString(file));
    while (found.find()) {
      parts.add(new Part(found.group("kind"), found.group("name"), found.group("text")));
    }
    return parts;
  }
}
