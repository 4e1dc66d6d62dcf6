package io.cellmesh.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/client.md shows what compiles, and all of what can be set. */
class ClientPageTest {
  private static final Path PAGE = Path.of("..", "docs", "client.md");
  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void each_example_compiles(@TempDir Path dir) throws IOException {
    var page = Files.readString(PAGE);
    var examples = EXAMPLE.matcher(page).results().map(found -> found.group(1)).toList();
    assertThat(examples).hasSizeGreaterThan(5);
    for (var example : examples) {
      assertThat(complaints(dir, example)).as(example).isEmpty();
    }
  }

  @Test
  void the_page_shows_every_setting_and_every_call() throws IOException {
    var page = Files.readString(PAGE);
    var names =
        Stream.of(ClientSettings.class, Session.class)
            .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .map(Method::getName)
            .filter(
                name ->
                    name.startsWith("with")
                        || name.startsWith("reading")
                        || List.of(
                                "put",
                                "putAll",
                                "latest",
                                "row",
                                "getAll",
                                "query",
                                "async",
                                "waitingFor")
                            .contains(name))
            .distinct()
            .toList();
    assertThat(names).hasSizeGreaterThan(12);
    assertThat(names).allSatisfy(name -> assertThat(page).contains(name + "("));
  }

  @Test
  void the_page_has_a_word_on_each_result() throws IOException {
    var page = Files.readString(PAGE);
    assertThat(WriteResult.class.getPermittedSubclasses())
        .allSatisfy(result -> assertThat(page).contains("`" + result.getSimpleName() + "`"));
  }

  private static String complaints(Path dir, String example) throws IOException {
    var given = example.contains("new CellmeshClient(") ? "" : "CellmeshClient client";
    var session = example.contains("Session session =") ? "" : "Session session";
    var others = "UUID row, String driver, javax.net.ssl.SSLContext sslContext";
    var parameters =
        String.join(
            ", ", Stream.of(given, session, others).filter(each -> !each.isEmpty()).toList());
    var source = dir.resolve("Example.java");
    Files.writeString(
        source,
        """
        import io.cellmesh.cell.*;
        import io.cellmesh.client.*;
        import java.nio.file.*;
        import java.time.*;
        import java.util.*;
        import java.util.concurrent.*;

        abstract class Example {
          abstract String readSecret();

          void example(%s) throws Exception {
        %s
          }
        }
        """
            .formatted(parameters, example));
    var compiler = ToolProvider.getSystemJavaCompiler();
    var said = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      var options =
          List.of("-d", dir.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");
      var units = files.getJavaFileObjects(source.toFile());
      compiler.getTask(said, files, null, options, null, units).call();
    }
    return said.toString();
  }
}
