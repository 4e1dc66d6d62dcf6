package io.cellmesh.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A name means one class. */
class SourceNamesTest {
  private static final Path HOME = Path.of(System.getProperty("cellmesh.home"));

  private static final Pattern SOURCE =
      Pattern.compile("([^/]+(?:/[^/]+)?)/src/(?:main|test)/java/(.+\\.java)");

  /** Else the tests run with theirs in the place of the product's. */
  @Test
  void no_class_of_a_modules_tests_has_the_name_of_one_of_its_own() throws IOException {
    var names = namesInModules();
    assertThat(names).hasSizeGreaterThan(1_000).doesNotHaveDuplicates();
  }

  private static List<String> namesInModules() throws IOException {
    var names = new ArrayList<String>();
    try (var files = Files.walk(HOME, 20)) {
      files
          .map(file -> SOURCE.matcher(HOME.relativize(file).toString()))
          .filter(Matcher::matches)
          .forEach(source -> names.add(source.group(1) + ": " + source.group(2)));
    }
    return names;
  }
}
