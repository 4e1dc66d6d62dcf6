package io.cellmesh.e2e.mutation;

import io.cellmesh.e2e.mutation.Verdict.Survived;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code e2e/bin/mutations}. */
@Command(
    name = "e2e/bin/mutations",
    mixinStandardHelpOptions = true,
    description = {
      "Breaks the lines of e2e/mutations.yaml, one at a time, in a copy of their classes, and runs the test that is to notice each. The checkout is only read.",
      "Ends with 0 if every one is killed, with 1 and the survivors otherwise, with 2 if a line is no longer what the list says."
    })
final class Mutations implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration PATIENCE_OF_A_SEARCH = Duration.ofMinutes(10);

  @Option(names = "--only", split = ",", paramLabel = "NAME", description = "Only these.")
  private List<String> only = List.of();

  @Option(names = "--list", description = "Name them, and look whether their lines are there.")
  private boolean list;

  @Option(
      names = "--search",
      description =
          "Run all unit tests of the line's module instead, and name those that notice it.")
  private boolean search;

  private final Path root;
  private final PrintStream out;

  /**
   * @param root of the checkout
   */
  Mutations(Path root, PrintStream out) {
    this.root = root;
    this.out = out;
  }

  public static void main(String[] args) {
    var mutations = new Mutations(Path.of("").toAbsolutePath(), System.out);
    System.exit(new CommandLine(mutations).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var directory = Files.createTempDirectory("mutations");
    try {
      return run(directory);
    } catch (IllegalArgumentException e) {
      out.println(e.getMessage());
      return CommandLine.ExitCode.USAGE;
    } finally {
      Trials.clear(directory);
    }
  }

  private int run(Path directory) throws IOException, InterruptedException {
    var all = MutationList.parse(Files.readString(root.resolve("e2e/mutations.yaml")));
    var some = all.of(only);
    var checkout = new Checkout(root);
    var tests = new TestProcess(checkout, directory, search ? PATIENCE_OF_A_SEARCH : PATIENCE);
    var trials = new Trials(checkout, tests, directory);
    if (search) {
      return search(some, trials);
    }
    for (var one : some) {
      checkout.check(one);
    }
    if (list) {
      some.forEach(one -> out.printf("%-36s %s%n", one.name(), one.what()));
      return 0;
    }
    return tryAll(all, some, trials);
  }

  private int search(List<Mutation> some, Trials trials) throws IOException, InterruptedException {
    for (var one : some) {
      out.println(one.name() + ":");
      trials.search(one).forEach(test -> out.println("  " + test));
    }
    return 0;
  }

  private int tryAll(MutationList all, List<Mutation> some, Trials trials)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    out.println("The tests on the code as it is:");
    var unfit = trials.unfit(some);
    if (!unfit.isEmpty()) {
      unfit.forEach(out::println);
      return 1;
    }
    out.printf("all pass, %d s%n%n", seconds(begin));
    out.println("| mutation | breaks | killed by | seconds |\n|---|---|---|---|");
    var survivors = new ArrayList<String>();
    for (var one : some) {
      long start = System.nanoTime();
      var verdict = trials.run(one);
      boolean survived = verdict instanceof Survived;
      out.printf(
          "| %s | %d, %s | %s | %d |%n",
          one.name(),
          one.breaks(),
          all.invariants().get(one.breaks()),
          survived ? "**survived**" : one.killedBy().brief(),
          seconds(start));
      if (verdict instanceof Survived why) {
        survivors.add(
            "%s: %s%n  %s: %s%n  %s: %s"
                .formatted(
                    one.name(), one.what(), one.file(), one.line(), one.killedBy(), why.why()));
      }
    }
    long took = seconds(begin);
    out.printf(
        "%n%d of %d killed in %d min %d s%n",
        some.size() - survivors.size(), some.size(), took / 60, took % 60);
    survivors.forEach(survivor -> out.println("survived: " + survivor));
    return survivors.isEmpty() ? 0 : 1;
  }

  private static long seconds(long begin) {
    return Math.round((System.nanoTime() - begin) / 1e9);
  }
}
