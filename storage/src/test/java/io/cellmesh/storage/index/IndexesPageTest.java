package io.cellmesh.storage.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The Java in docs/indexes.md is what {@link IndexPagesIT} runs. */
class IndexesPageTest {
  @Test
  void theExampleIsTheOneThatRuns() throws IOException {
    var page = Files.readString(Path.of("..", "docs", "indexes.md"));
    var source =
        Files.readString(
            Path.of("src/test/java/io/cellmesh/storage/index").resolve("IndexPagesIT.java"));

    assertThat(between(page, "```java\n", "```"))
        .isEqualTo(
            between(source, "// docs/indexes.md begins\n", "// docs/indexes.md ends")
                .stripIndent());
  }

  private static String between(String text, String begin, String end) {
    int from = text.indexOf(begin) + begin.length();
    return text.substring(from, text.indexOf(end, from));
  }
}
