package io.cellmesh.e2e;

import io.cellmesh.devstack.CellmeshHome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Kafka's own command-line tools, out of the jars of the stack, in this JVM. */
public final class KafkaTools implements AutoCloseable {
  private static final Map<String, String> MAINS =
      Map.of(
          "kafka-acls.sh", "org.apache.kafka.tools.AclCommand",
          "kafka-configs.sh", "kafka.admin.ConfigCommand");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  private final URLClassLoader kafka;
  private final ServerSocket scripts;

  public KafkaTools() throws IOException {
    var jars = new ArrayList<URL>();
    try (var files = Files.list(CellmeshHome.dir().resolve("devstack/target/kafka"))) {
      for (var jar : files.filter(file -> file.toString().endsWith(".jar")).toList()) {
        jars.add(jar.toUri().toURL());
      }
    }
    kafka = new URLClassLoader(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    scripts = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
  }

  /** The lines of a script that run one of them. */
  public static List<String> lines(String script) {
    return script
        .lines()
        .filter(line -> MAINS.keySet().stream().anyMatch(name -> line.startsWith(name + " ")))
        .toList();
  }

  /** Runs a line as a shell would. */
  public void run(String line) throws Exception {
    var words = new ArrayList<String>();
    var found = WORD.matcher(line);
    while (found.find()) {
      words.add(found.group(1) == null ? found.group(2) : found.group(1));
    }
    var main = MAINS.get(words.remove(0));
    if (main == null) {
      throw new IllegalArgumentException(line);
    }
    var thread = Thread.currentThread();
    var before = thread.getContextClassLoader();
    thread.setContextClassLoader(kafka);
    try {
      kafka
          .loadClass(main)
          .getMethod("main", String[].class)
          .invoke(null, (Object) words.toArray(String[]::new));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Undoes what a line of {@code kafka-acls.sh} has allowed. */
  public void undo(String line) throws Exception {
    run(line.replace(" --add ", " --remove --force "));
  }

  /** Puts the scripts into a directory, which have this JVM do it: one of their own is slow. */
  public void writeScripts(Path bin) throws IOException {
    var script =
        """
        #!/bin/bash
        exec 3<>/dev/tcp/127.0.0.1/%d
        line=${0##*/}
        for word; do
          [ ! -f "$word" ] || word=$(realpath "$word")
          line="$line '$word'"
        done
        echo "$line" >&3
        read -r exit failure <&3
        [ -z "$failure" ] || echo "$failure" >&2
        exit "$exit"
        """
            .formatted(scripts.getLocalPort());
    for (var name : MAINS.keySet()) {
      var file = Files.writeString(bin.resolve(name), script);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    var thread = new Thread(this::serve, "kafka-tools");
    thread.setDaemon(true);
    thread.start();
  }

  private void serve() {
    while (!scripts.isClosed()) {
      try (var script = scripts.accept()) {
        answer(script);
      } catch (SocketException e) {
        // Closed meanwhile.
        continue;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void answer(Socket script) throws IOException {
    var in =
        new BufferedReader(new InputStreamReader(script.getInputStream(), StandardCharsets.UTF_8));
    var exit = "0";
    try {
      run(in.readLine());
    } catch (InvocationTargetException e) {
      exit = "1 " + oneLine(e.getCause());
    } catch (Exception e) {
      exit = "1 " + oneLine(e);
    }
    script.getOutputStream().write((exit + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static String oneLine(Throwable failure) {
    return failure.toString().replaceAll("\\s+", " ");
  }

  @Override
  public void close() throws IOException {
    scripts.close();
    kafka.close();
  }
}
