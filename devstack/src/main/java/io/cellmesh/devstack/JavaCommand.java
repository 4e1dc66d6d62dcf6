package io.cellmesh.devstack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a JVM that belongs to a stack. */
final class JavaCommand {
  private JavaCommand() {}

  /**
   * @param name the child's
   * @param flags in front of the main class
   */
  static List<String> of(
      Household household,
      String name,
      List<String> flags,
      String classPath,
      String mainClass,
      List<String> arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // By this a process is recognised as the stack's.
    command.add("-Dcellmesh.stack=" + household.stateDir());
    // RocksDB unpacks its library there, 15 MB for each start.
    command.add("-Djava.io.tmpdir=" + household.temporary(name));
    command.add("-Dfile.encoding=UTF-8");
    command.add("-Djava.awt.headless=true");
    if (flags.stream().noneMatch(JavaCommand::choosesCollector)) {
      // Of the collectors it takes the least memory beside the heap, and a stack has many JVMs.
      command.add("-XX:+UseSerialGC");
    }
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.addAll(flags);
    command.add("-cp");
    command.add(classPath);
    command.add(mainClass);
    command.addAll(arguments);
    return command;
  }

  private static boolean choosesCollector(String flag) {
    return flag.startsWith("-XX:+Use") && flag.endsWith("GC");
  }
}
