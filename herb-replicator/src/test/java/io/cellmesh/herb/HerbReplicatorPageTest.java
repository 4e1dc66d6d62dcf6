package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.devstack.shipped.PagePart;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** docs/herb-replicator.md has the options of the code. */
class HerbReplicatorPageTest {

  @Test
  void the_page_lists_the_options_as_they_are() throws IOException {
    var page = Path.of(System.getProperty("cellmesh.home"), "docs/herb-replicator.md");
    assertThat(page)
        .hasContent(PagePart.expected(page, "options", "HerbReplicatorPageTest", options()));
  }

  private static String options() {
    var table = new StringBuilder("| option | what it is |\n|---|---|\n");
    for (var option : new CommandLine(new HerbReplicatorMain()).getCommandSpec().options()) {
      if (!option.usageHelp() && !option.versionHelp()) {
        table.append(
            "| `%s %s` | %s |\n"
                .formatted(option.longestName(), option.paramLabel(), text(option)));
      }
    }
    return table.toString();
  }

  private static String text(OptionSpec option) {
    return String.join(" ", option.description()).replace("|", "\\|");
  }
}
