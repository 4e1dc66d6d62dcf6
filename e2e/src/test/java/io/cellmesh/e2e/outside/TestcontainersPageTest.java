package io.cellmesh.e2e.outside;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.stack.StateDirectory;
import io.cellmesh.testcontainers.CellmeshStack;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/testcontainers.md promises, as far as it can be seen without a Docker engine. */
class TestcontainersPageTest {

  @Test
  void the_example_compiles(@TempDir Path dir) throws IOException {
    var source = dir.resolve("TripsIT.java");
    Files.writeString(source, UserProject.block("example: TripsIT.java"));
    var compiler = ToolProvider.getSystemJavaCompiler();
    var said = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      var options =
          List.of("-d", dir.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");
      var task =
          compiler.getTask(
              said, files, null, options, null, files.getJavaFileObjects(source.toFile()));
      assertThat(task.call()).as(said.toString()).isTrue();
    }
  }

  @Test
  void the_page_names_every_method_of_a_stack() throws IOException {
    var page = Files.readString(StateDirectory.home().resolve("docs/testcontainers.md"));
    var named =
        Pattern.compile("`(\\w+)(\\([^`]*\\))?`")
            .matcher(page)
            .results()
            .map((MatchResult found) -> found.group(1))
            .collect(Collectors.toSet());

    assertThat(named)
        .containsAll(
            Arrays.stream(CellmeshStack.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .filter(method -> !List.of("start", "stop").contains(method.getName()))
                .map(method -> method.getName())
                .toList());
  }
}
