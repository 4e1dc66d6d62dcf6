package io.cellmesh.devstack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Any other JVM that belongs to a stack, such as index-streams. */
public final class JavaApp extends Child {
  private final Spec spec;

  JavaApp(Spec spec, Household household) {
    super(spec.name(), Duration.ofSeconds(30), household);
    this.spec = spec;
  }

  /**
   * What to run.
   *
   * @param name of the process and of its log; also its kind in the memory report
   * @param jars its class path: a directory of jars, or one whose manifest names the others
   * @param environment added to this JVM's own
   * @param flags for the JVM, such as {@code -Xmx256m}
   */
  public record Spec(
      String name,
      Path jars,
      String mainClass,
      List<String> arguments,
      Map<String, String> environment,
      List<String> flags) {
    public Spec {
      arguments = List.copyOf(arguments);
      environment = Map.copyOf(environment);
      flags = List.copyOf(flags);
    }
  }

  @Override
  public String kind() {
    return "app";
  }

  @Override
  protected List<String> command() {
    return JavaCommand.of(
        household(),
        name(),
        spec.flags(),
        CellmeshHome.classPath(spec.jars()),
        spec.mainClass(),
        spec.arguments());
  }

  @Override
  protected Map<String, String> environment() {
    return spec.environment();
  }

  /** Nobody here knows what it answers to; it runs, and that is all. */
  @Override
  protected boolean answers() {
    return true;
  }
}
