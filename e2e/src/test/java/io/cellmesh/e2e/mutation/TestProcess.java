package io.cellmesh.e2e.mutation;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.platform.launcher.Launcher;

/** Runs tests of a module in a Java process like those of the build ({@link TestRun}). */
final class TestProcess {
  private final Checkout checkout;
  private final Path directory;
  private final Duration patience;

  /**
   * @param directory where logs and reports go
   * @param patience how long each test may take; then its process is ended
   */
  TestProcess(Checkout checkout, Path directory, Duration patience) {
    this.checkout = checkout;
    this.directory = directory;
    this.patience = patience;
  }

  /**
   * Runs tests.
   *
   * @param module where they are run
   * @param before what stands before the module's own classes
   * @param tests as {@link TestRun} takes them
   * @return what they came to: those that did not end are not in it
   */
  TestReport run(String module, List<Path> before, List<String> tests)
      throws IOException, InterruptedException {
    var report = directory.resolve("report");
    Files.deleteIfExists(report);
    var command = new ArrayList<>(java());
    command.addAll(List.of("-cp", classPath(module, before), TestRun.class.getName()));
    command.add(report.toString());
    command.addAll(tests);
    var process =
        new ProcessBuilder(command)
            .directory(checkout.module(module).toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    try {
      process.waitFor(patience.multipliedBy(tests.size()).toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      // The servers that a test has started are its children.
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    return TestReport.parse(Files.exists(report) ? Files.readString(report) : "");
  }

  /** What surefire and failsafe are given in the root pom.xml. */
  private List<String> java() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Dfile.encoding=UTF-8",
        "-XX:TieredStopAtLevel=1",
        "-Dcellmesh.home=" + checkout.root(),
        "-Dcellmesh.figures=short");
  }

  private String classPath(String module, List<Path> before) throws IOException {
    var all = new ArrayList<String>();
    before.forEach(path -> all.add(path.toString()));
    all.addAll(checkout.classPath(module));
    all.add(home(TestRun.class));
    all.add(home(Launcher.class));
    return String.join(File.pathSeparator, all);
  }

  /** The directory or jar that a class of this process comes from. */
  private static String home(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }
}
