package io.cellmesh.e2e.mutation;

import io.cellmesh.e2e.mutation.TestReport.Kind;
import io.cellmesh.e2e.mutation.Verdict.Killed;
import io.cellmesh.e2e.mutation.Verdict.Survived;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Tries mutations, one at a time, on classes of their own beside the checkout's. */
final class Trials {
  private final Checkout checkout;
  private final TestProcess tests;
  private final Path classes;

  /**
   * @param directory for the classes of the mutation at hand
   */
  Trials(Checkout checkout, TestProcess tests, Path directory) {
    this.checkout = checkout;
    this.tests = tests;
    this.classes = directory.resolve("classes");
  }

  /**
   * Runs the tests on the code as it is.
   *
   * @return those that fail or don't run, with the reason: their failing says nothing
   */
  List<String> unfit(List<Mutation> mutations) throws IOException, InterruptedException {
    var byModule = new TreeMap<String, List<NamedTest>>();
    for (var test : mutations.stream().map(Mutation::killedBy).distinct().toList()) {
      byModule.computeIfAbsent(checkout.moduleOf(test), any -> new ArrayList<>()).add(test);
    }
    var unfit = new ArrayList<String>();
    for (var module : byModule.entrySet()) {
      var names = module.getValue().stream().map(NamedTest::toString).toList();
      var report = tests.run(module.getKey(), List.of(), names);
      for (var test : module.getValue()) {
        var end = report.of(test);
        if (end.isEmpty()) {
          unfit.add(test + " does not run");
        } else if (end.get().kind() != Kind.PASSED) {
          unfit.add(test + " fails on the code as it is: " + end.get().failure());
        }
      }
    }
    return unfit;
  }

  /** Breaks the line, and runs the test that is to notice it. */
  Verdict run(Mutation mutation) throws IOException, InterruptedException {
    var problem = compile(mutation);
    if (problem.isPresent()) {
      return new Survived("does not compile: " + problem.get());
    }
    var test = mutation.killedBy();
    var module = checkout.moduleOf(test);
    var end = tests.run(module, List.of(classes), List.of(test.toString())).of(test);
    if (end.isEmpty()) {
      return new Survived("the test did not run, or did not end");
    }
    return switch (end.get().kind()) {
      case PASSED -> new Survived("the test passes");
      case HINDERED -> new Survived("the test was hindered: " + end.get().failure());
      case FAILED -> new Killed(end.get().failure());
    };
  }

  /**
   * Breaks the line, and runs all unit tests of its module.
   *
   * @return those that notice it
   */
  List<NamedTest> search(Mutation mutation) throws IOException, InterruptedException {
    var problem = compile(mutation);
    if (problem.isPresent()) {
      throw new IllegalArgumentException(
          "%s: does not compile: %s".formatted(mutation.name(), problem.get()));
    }
    var all = checkout.module(mutation.module()).resolve("target/test-classes").toString();
    return tests.run(mutation.module(), List.of(classes), List.of(all)).failed();
  }

  private Optional<String> compile(Mutation mutation) throws IOException {
    var module = checkout.module(mutation.module());
    clear(classes);
    return Breakage.compile(
        module.resolve("src/main/java"),
        checkout.root().resolve(mutation.file()),
        mutation.in(checkout.source(mutation)),
        checkout.classPath(mutation.module()),
        Files.createDirectories(classes));
  }

  static void clear(Path directory) throws IOException {
    if (Files.exists(directory)) {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path at, IOException e) throws IOException {
              Files.delete(at);
              return FileVisitResult.CONTINUE;
            }
          });
    }
  }
}
