package io.cellmesh.e2e.mutation;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.cellmesh.e2e.mutation.TestReport.End;
import io.cellmesh.e2e.mutation.TestReport.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The process that runs tests of one module, on the class path that it was started with. */
final class TestRun implements TestExecutionListener {
  private final Map<NamedTest, End> ends = new LinkedHashMap<>();

  private TestRun() {}

  /**
   * Runs tests and writes a {@link TestReport}.
   *
   * @param args the report's file, then the tests, or the directory whose unit tests are all to run
   */
  public static void main(String[] args) throws IOException {
    var run = new TestRun();
    var request = LauncherDiscoveryRequestBuilder.request();
    if (args[1].contains("#")) {
      request.selectors(methods(List.of(args).subList(1, args.length)));
    } else {
      request
          .selectors(selectClasspathRoots(Set.of(Path.of(args[1]))))
          .filters(ClassNameFilter.includeClassNamePatterns(".*Test"));
    }
    LauncherFactory.create().execute(request.build(), run);
    Files.writeString(Path.of(args[0]), new TestReport(run.ends).text());
    // Threads that a broken program has left must not keep it.
    System.exit(0);
  }

  private static List<DiscoverySelector> methods(List<String> tests) {
    var selectors = new ArrayList<DiscoverySelector>();
    tests.forEach(test -> selectors.addAll(allOf(NamedTest.parse(test))));
    return selectors;
  }

  /** The method whatever its parameters are. */
  private static List<? extends DiscoverySelector> allOf(NamedTest test) {
    try {
      var type = Class.forName(test.className());
      return ReflectionSupport.findMethods(
              type,
              method -> method.getName().equals(test.method()),
              HierarchyTraversalMode.TOP_DOWN)
          .stream()
          .map(method -> selectMethod(type, method))
          .toList();
    } catch (ClassNotFoundException e) {
      return List.of();
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (test.isTest()
        && result.getStatus() != Status.ABORTED
        && test.getSource().orElse(null) instanceof MethodSource source) {
      var named = new NamedTest(source.getClassName(), source.getMethodName());
      ends.merge(named, end(named, result), End::and);
    }
  }

  private static End end(NamedTest test, TestExecutionResult result) {
    if (result.getStatus() == Status.SUCCESSFUL) {
      return new End(Kind.PASSED, "");
    }
    var failure = result.getThrowable().orElseThrow();
    boolean within = false;
    boolean fits = true;
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      within |= Stream.of(cause.getStackTrace()).anyMatch(frame -> isOf(test, frame));
      fits &= !(cause instanceof LinkageError);
    }
    return new End(within && fits ? Kind.FAILED : Kind.HINDERED, line(failure));
  }

  /** Whether a frame is the test's method, or of a lambda in it. */
  private static boolean isOf(NamedTest test, StackTraceElement frame) {
    var method = frame.getMethodName();
    return frame.getClassName().equals(test.className())
        && (method.equals(test.method()) || method.startsWith("lambda$" + test.method() + "$"));
  }

  private static String line(Throwable failure) {
    return failure.toString().strip().replaceAll("\\s+", " ");
  }
}
