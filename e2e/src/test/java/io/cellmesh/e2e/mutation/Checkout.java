package io.cellmesh.e2e.mutation;

import io.cellmesh.e2e.mutation.Mutation.DriftException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A checkout that was built up to its tests, with the class path of each module in {@code
 * target/test.classpath}. Nothing in it is ever changed.
 */
record Checkout(Path root) {
  private static final String CLASS_PATH = "target/test.classpath";

  Path module(String name) {
    return root.resolve(name);
  }

  /**
   * The module that has a test.
   *
   * @throws DriftException if none has
   */
  String moduleOf(NamedTest test) throws IOException {
    try (var all = Files.walk(root, 2)) {
      return all.filter(at -> Files.exists(source(at, test)))
          .findFirst()
          .map(at -> root.relativize(at).toString())
          .orElseThrow(() -> new DriftException("no module has the class of the test " + test));
    }
  }

  /**
   * Looks whether a mutation fits the code.
   *
   * @throws DriftException if its line is not there once, or its test is not there
   */
  void check(Mutation mutation) throws IOException {
    mutation.in(source(mutation));
    var test = mutation.killedBy();
    var source = Files.readString(source(module(moduleOf(test)), test));
    if (!source.contains("void " + test.method() + "(")) {
      throw new DriftException(
          "%s: there is no test %s".formatted(mutation.name(), mutation.killedBy()));
    }
  }

  private static Path source(Path module, NamedTest test) {
    return module.resolve("src/test/java").resolve(test.file());
  }

  /** What a module's tests run on. */
  List<String> classPath(String module) throws IOException {
    var at = module(module);
    var all = new ArrayList<String>();
    all.add(at.resolve("target/test-classes").toString());
    all.add(at.resolve("target/classes").toString());
    all.addAll(List.of(Files.readString(at.resolve(CLASS_PATH)).strip().split(File.pathSeparator)));
    return all;
  }

  String source(Mutation mutation) throws IOException {
    var file = root.resolve(mutation.file());
    if (!Files.exists(file)) {
      throw new DriftException(
          "%s: there is no file %s".formatted(mutation.name(), mutation.file()));
    }
    return Files.readString(file);
  }
}
