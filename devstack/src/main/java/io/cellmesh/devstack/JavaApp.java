package io.cellmesh.devstack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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

  /**
   * Gives the flags with which a JVM takes a program's classes from what an earlier stack has left,
   * and so starts with half of the processor time.
   *
   * @param jars its class path: a directory of jars, or one of its jars, which names the others
   * @return none, if no stack has left anything of these very jars for this JVM
   */
  public static List<String> sharedClasses(Path jars, String mainClass) {
    return new ClassArchive(mainClass, jars).flags();
  }

  /** Of whatever runs this program from these jars. */
  ClassArchive archive() {
    return new ClassArchive(spec.mainClass(), spec.jars());
  }

  /**
   * Whether a class archive may lie beside its jars: who has unpacked ours keeps what was in it.
   */
  boolean isBuiltHere() {
    return CellmeshHome.isBuilt(spec.jars());
  }

  @Override
  protected List<String> command() {
    var flags = new ArrayList<>(archive().flags());
    flags.addAll(spec.flags());
    return JavaCommand.of(
        household(),
        name(),
        flags,
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
