package io.cellmesh.connect.sink.simulation;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;

/**
 * Breaks the sink in one line at a time, as {@code mutations.txt} lists it, and runs the simulation
 * on what it became: says by which seed, after how long and with how many steps it was found.
 *
 * <p>Arguments: the checkout, then numbers of mutations; all if there are none.
 */
public final class MutationMain {
  private static final int SECONDS = 60;

  private MutationMain() {}

  /**
   * A breakage.
   *
   * @param file from the checkout
   * @param text of its line, or a part of it that occurs once in the file
   * @param breaks the rule that it breaks
   */
  record Mutation(Path file, String text, String replacement, String breaks) {}

  static List<Mutation> all() throws IOException {
    try (var list = MutationMain.class.getResourceAsStream("/mutations.txt")) {
      var blocks = new String(list.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
      var all = new ArrayList<Mutation>();
      for (var block : blocks.split("\n\n")) {
        var lines = block.lines().filter(line -> !line.startsWith("#")).toList();
        if (!lines.isEmpty()) {
          all.add(new Mutation(Path.of(lines.get(1)), lines.get(2), lines.get(3), lines.get(0)));
        }
      }
      return all;
    }
  }

  public static void main(String[] arguments) throws Exception {
    var home = Path.of(arguments[0]);
    var mutations = all();
    int survivors = 0;
    for (int i = 0; i < mutations.size(); i++) {
      if (arguments.length == 1 || List.of(arguments).contains(String.valueOf(i + 1))) {
        survivors += found(home, mutations.get(i), i + 1) ? 0 : 1;
      }
    }
    System.out.println(survivors + " survived");
    System.exit(survivors == 0 ? 0 : 1);
  }

  private static boolean found(Path home, Mutation mutation, int number) throws Exception {
    var directory = Files.createTempDirectory("cellmesh-mutation");
    var source = directory.resolve(mutation.file().getFileName());
    var classes = Files.createDirectory(directory.resolve("classes"));
    Files.writeString(
        source,
        Files.readString(home.resolve(mutation.file()))
            .replace(mutation.text(), mutation.replacement()));
    var path = System.getProperty("java.class.path");
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-nowarn", "-cp", path, "-d", "" + classes, "" + source);
    if (compiled != 0) {
      throw new IllegalStateException(mutation + " does not compile");
    }
    long begin = System.nanoTime();
    var child =
        new ProcessBuilder(
                "java",
                "-cp",
                classes + File.pathSeparator + path,
                SimulationMain.class.getName(),
                "first=1",
                "wrong=1",
                "seconds=" + SECONDS)
            .redirectErrorStream(true)
            .start();
    var output =
        new String(child.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    boolean found = child.waitFor() != 0;
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
    System.out.printf(
        "%2d %s: %s%n",
        number,
        found
            ? "found in %d s, %s".formatted(seconds, steps(output))
            : "SURVIVED " + seconds + " s",
        mutation.breaks());
    output
        .lines()
        .filter(line -> line.startsWith("==="))
        .forEach(line -> System.out.println("   " + line));
    Files.writeString(Path.of("target", "mutation-" + number + ".txt"), output);
    return found;
  }

  private static String steps(String output) {
    return output
        .lines()
        .filter(line -> line.startsWith("seed ") && line.endsWith("steps:"))
        .map(line -> line.substring(line.lastIndexOf(", ") + 2, line.length() - 1))
        .findFirst()
        .orElse("not shortened");
  }
}
