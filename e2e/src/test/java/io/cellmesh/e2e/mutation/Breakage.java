package io.cellmesh.e2e.mutation;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiles a module with one file broken into a directory of its own, which then stands before the
 * module's on a class path. All of the module, since constants stand in other classes, too.
 */
final class Breakage {
  private Breakage() {}

  /**
   * Compiles.
   *
   * @param broken the text of the file
   * @return the first error; empty if there is none
   */
  static Optional<String> compile(
      Path sources, Path file, String broken, List<String> classPath, Path into)
      throws IOException {
    var compiler = ToolProvider.getSystemJavaCompiler();
    var problems = new DiagnosticCollector<JavaFileObject>();
    try (var files = compiler.getStandardFileManager(problems, null, null);
        var all = Files.walk(sources)) {
      var others =
          all.filter(one -> one.toString().endsWith(".java") && !one.equals(file)).toList();
      var units = new ArrayList<JavaFileObject>();
      files.getJavaFileObjectsFromPaths(others).forEach(units::add);
      units.add(new Text(file, broken));
      var options =
          List.of(
              "-d",
              into.toString(),
              "-cp",
              String.join(File.pathSeparator, classPath),
              "--release",
              "17",
              "-parameters",
              "-proc:none",
              "-nowarn",
              "-Xlint:none");
      compiler.getTask(null, files, problems, options, null, units).call();
    }
    return problems.getDiagnostics().stream()
        .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
        .map(problem -> problem.getMessage(null).lines().findFirst().orElse(""))
        .findFirst();
  }

  private static final class Text extends SimpleJavaFileObject {
    private final String text;

    Text(Path file, String text) {
      super(URI.create("text:///" + file.getFileName()), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
