package io.cellmesh.e2e.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A Java without what only a JDK has: no compiler, no jcmd, nothing to attach with. */
public final class Jre {
  /** What every JRE that people install has. */
  private static final String MODULES =
      "java.se,jdk.crypto.ec,jdk.httpserver,jdk.jfr,jdk.management,jdk.net,jdk.security.auth,jdk.unsupported,jdk.zipfs";

  private Jre() {}

  /** Has the Java that runs this test behave as one, which costs nothing. */
  static Path pretended(Path dir) throws IOException {
    var running = Path.of(System.getProperty("java.home"));
    Files.createDirectories(dir.resolve("bin"));
    Files.copy(running.resolve("release"), dir.resolve("release"));
    var java = dir.resolve("bin/java");
    Files.writeString(
        java,
        "#!/bin/sh\nexec '%s' --limit-modules %s \"$@\"\n"
            .formatted(running.resolve("bin/java"), MODULES));
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    return dir;
  }

  /** Links one, which takes the JDK's jlink and a quarter of a minute. */
  public static Path linked(Path dir) throws IOException, InterruptedException {
    var jlink = Path.of(System.getProperty("java.home"), "bin", "jlink");
    var said = Files.createTempFile("jlink", ".log");
    int exit =
        new ProcessBuilder(
                List.of(
                    jlink.toString(),
                    "--add-modules",
                    MODULES,
                    "--strip-debug",
                    "--output",
                    dir.toString()))
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start()
            .waitFor();
    if (exit != 0) {
      throw new IOException(Files.readString(said));
    }
    Files.delete(said);
    return dir;
  }
}
