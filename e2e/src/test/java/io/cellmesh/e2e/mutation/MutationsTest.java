package io.cellmesh.e2e.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command on a checkout of one module with one class. */
class MutationsTest {
  private static final String CLASS = "counts/src/main/java/counts/Counter.java";
  private static final String TEST = "counts/src/test/java/counts/CounterTest.java";

  @TempDir private static Path counter;

  private Path root = counter;
  private String printed;

  @BeforeAll
  static void build() throws IOException {
    write(CLASS, COUNTER);
    write(TEST, COUNTER_TEST);
    var classPath = System.getProperty("java.class.path");
    write("counts/target/test.classpath", classPath);
    compile("counts/target/classes", CLASS, classPath);
    compile(
        "counts/target/test-classes",
        TEST,
        counter.resolve("counts/target/classes") + File.pathSeparator + classPath);
  }

  @Test
  void every_line_and_every_test_of_our_list_is_there() {
    root = Path.of(System.getProperty("cellmesh.home"));
    assertThat(run("--list")).as(printed).isZero();
  }

  @Test
  void a_line_that_a_test_notices_is_killed_by_name_and_the_checkout_stays_as_it_is()
      throws IOException {
    list(mutation("counts-twos", "count += 1;", "count += 2;", "each_call_counts_one"));
    assertThat(run()).as(printed).isZero();
    assertThat(printed)
        .contains("| counts-twos | 4, conservation | CounterTest#each_call_counts_one |")
        .contains("1 of 1 killed");
    assertThat(Files.readString(root.resolve(CLASS))).isEqualTo(COUNTER);
  }

  @Test
  void what_no_test_notices_survives_and_is_told_with_its_line() throws IOException {
    list(
        mutation("counts-twos", "count += 1;", "count += 2;", "each_call_counts_one"),
        mutation("starts-at-one", "count = 0;", "count = 1;", "each_call_counts_one"));
    assertThat(run()).isEqualTo(1);
    assertThat(printed)
        .contains("1 of 2 killed")
        .contains("survived: starts-at-one", CLASS + ": count = 0;", "the test passes");
  }

  @Test
  void a_compile_error_is_no_kill() throws IOException {
    list(mutation("no-java", "count += 1;", "count += one;", "each_call_counts_one"));
    assertThat(run()).isEqualTo(1);
    assertThat(printed).contains("0 of 1 killed", "does not compile: cannot find symbol");
  }

  @Test
  void a_test_that_does_not_run_kills_nothing() throws IOException {
    list(mutation("no-start", "static int first = 1;", "static int first = 0;", "it_runs_later"));
    assertThat(run()).isEqualTo(1);
    assertThat(printed).contains("0 of 1 killed", "the test did not run");
    list(mutation("no-begin", "static int first = 1;", "static int first = 2;", "it_runs_later"));
    assertThat(run()).isEqualTo(1);
    assertThat(printed)
        .contains("0 of 1 killed", "the test was hindered: java.lang.IllegalStateException");
  }

  @Test
  void a_test_that_fails_on_the_code_as_it_is_kills_nothing() throws IOException {
    list(mutation("any", "count += 1;", "count += 2;", "it_always_fails"));
    assertThat(run()).isEqualTo(1);
    assertThat(printed)
        .contains("CounterTest#it_always_fails fails on the code as it is")
        .doesNotContain("killed in");
  }

  @Test
  void an_entry_whose_line_test_or_file_is_gone_is_refused_by_its_name() throws IOException {
    list(mutation("drifted", "count -= 1;", "count -= 2;", "each_call_counts_one"));
    assertThat(run()).isEqualTo(2);
    assertThat(printed).contains("drifted: " + CLASS + " has this line no more");
    list(mutation("doubled", "}", "", "each_call_counts_one"));
    assertThat(run()).isEqualTo(2);
    assertThat(printed).contains("doubled: " + CLASS + " has this line 3 times");
    list(mutation("renamed", "count += 1;", "count += 2;", "nobody_knows"));
    assertThat(run()).isEqualTo(2);
    assertThat(printed).contains("renamed: there is no test counts.CounterTest#nobody_knows");
    list(mutation("moved", "a;", "b;", "x").replace(CLASS, CLASS.replace("Counter", "Moved")));
    assertThat(run()).isEqualTo(2);
    assertThat(printed).contains("moved: there is no file");
  }

  @Test
  void a_search_names_the_tests_that_notice_it() throws IOException {
    list(mutation("starts-at-one", "count = 0;", "count = 1;", "each_call_counts_one"));
    assertThat(run("--search")).isZero();
    assertThat(printed.lines())
        .containsExactly(
            "starts-at-one:",
            "  counts.CounterTest#it_always_fails",
            "  counts.CounterTest#it_begins_at_nothing");
  }

  @Test
  void what_the_list_can_not_mean_is_refused_in_words() throws IOException {
    list(mutation("any", "a;", "b;", "x").replace("breaks: 4", "breaks: 5"));
    assertThat(run()).isEqualTo(2);
    assertThat(printed).contains("breaks: there is no invariant 5");
    list(mutation("same", "a;", "b;", "x"), mutation("same", "c;", "d;", "x"));
    assertThat(run()).isEqualTo(2);
    assertThat(printed).contains("name: \"same\" stands twice");
    list(mutation("any", "count += 1;", "b;", "x"));
    assertThat(run("--only", "another")).isEqualTo(2);
    assertThat(printed).contains("--only: no mutation is called \"another\"");
  }

  private int run(String... args) {
    var out = new ByteArrayOutputStream();
    var command =
        new CommandLine(new Mutations(root, new PrintStream(out, true, StandardCharsets.UTF_8)));
    int exit = command.execute(args);
    printed = out.toString(StandardCharsets.UTF_8);
    return exit;
  }

  private void list(String... mutations) throws IOException {
    write(
        "e2e/mutations.yaml",
        "invariants: {4: conservation}\nmutations:\n" + String.join("", mutations));
  }

  private static String mutation(String name, String line, String becomes, String test) {
    return """
          - name: %s
            breaks: 4
            what: something is wrong
            file: %s
            line: '%s'
            becomes: '%s'
            killed-by: counts.CounterTest#%s
        """
        .formatted(name, CLASS, line, becomes, test);
  }

  private static void write(String file, String text) throws IOException {
    Files.createDirectories(counter.resolve(file).getParent());
    Files.writeString(counter.resolve(file), text);
  }

  private static void compile(String into, String file, String classPath) {
    var target = counter.resolve(into).toString();
    var source = counter.resolve(file).toString();
    var options = List.of("-d", target, "-cp", classPath, "-proc:none", source);
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, options.toArray(String[]::new)))
        .isZero();
  }

  private static final String COUNTER =
      """
      package counts;

      class Counter {
        static int first = 1;
        int count;

        void begin() {
          count = 0;
        }

        void call() {
          count += 1;
        }
      }
      """;

  private static final String COUNTER_TEST =
      """
      package counts;

      import static org.junit.jupiter.api.Assertions.assertEquals;

      import org.junit.jupiter.api.BeforeAll;
      import org.junit.jupiter.api.BeforeEach;
      import org.junit.jupiter.api.Test;

      class CounterTest {
        @BeforeAll
        static void start() {
          if (Counter.first == 0) {
            throw new IllegalStateException("no start");
          }
        }

        private final Counter counter = new Counter();

        @BeforeEach
        void getReady() {
          if (Counter.first == 2) {
            throw new IllegalStateException("not ready");
          }
        }

        @Test
        void each_call_counts_one() {
          counter.begin();
          int before = counter.count;
          counter.call();
          assertEquals(before + 1, counter.count);
        }

        @Test
        void it_begins_at_nothing() {
          counter.begin();
          assertEquals(0, counter.count);
        }

        @Test
        void it_runs_later() {}

        @Test
        void it_always_fails() {
          assertEquals(1, 2);
        }
      }
      """;
}
