package io.cellmesh.e2e.security;

import io.cellmesh.devstack.CellmeshHome;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Kafka's {@code kafka-acls.sh}, out of the jars of the stack, in this JVM. */
final class AclTool implements AutoCloseable {
  private static final String NAME = "kafka-acls.sh ";
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  private final URLClassLoader kafka;

  AclTool() throws IOException {
    var jars = new ArrayList<URL>();
    try (var files = Files.list(CellmeshHome.dir().resolve("devstack/target/kafka"))) {
      for (var jar : files.filter(file -> file.toString().endsWith(".jar")).toList()) {
        jars.add(jar.toUri().toURL());
      }
    }
    kafka = new URLClassLoader(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  /** The lines of a script that run it. */
  static List<String> lines(String script) {
    return script.lines().filter(line -> line.startsWith(NAME)).toList();
  }

  /** Runs a line as a shell would. */
  void run(String line) throws Exception {
    if (!line.startsWith(NAME)) {
      throw new IllegalArgumentException(line);
    }
    var args = new ArrayList<String>();
    var words = WORD.matcher(line.substring(NAME.length()));
    while (words.find()) {
      args.add(words.group(1) == null ? words.group(2) : words.group(1));
    }
    var thread = Thread.currentThread();
    var before = thread.getContextClassLoader();
    thread.setContextClassLoader(kafka);
    try {
      kafka
          .loadClass("org.apache.kafka.tools.AclCommand")
          .getMethod("main", String[].class)
          .invoke(null, (Object) args.toArray(String[]::new));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Undoes what a line has allowed. */
  void undo(String line) throws Exception {
    run(line.replace(" --add ", " --remove --force "));
  }

  @Override
  public void close() throws IOException {
    kafka.close();
  }
}
