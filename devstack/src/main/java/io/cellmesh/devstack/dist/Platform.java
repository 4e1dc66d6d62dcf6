package io.cellmesh.devstack.dist;

import io.cellmesh.devstack.DevStackException;
import java.util.Locale;

/** The operating system and the processor, in the words of the MySQL archive's classifiers. */
record Platform(String os, String arch) {

  static Platform current() {
    return of(System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  /**
   * @throws DevStackException if there is no MySQL archive for it
   */
  static Platform of(String osName, String osArch) {
    var name = osName.toLowerCase(Locale.ROOT);
    var os = name.contains("mac") ? "mac" : name.contains("linux") ? "linux" : null;
    var arch =
        switch (osArch.toLowerCase(Locale.ROOT)) {
          case "amd64", "x86_64", "x64" -> "x86_64";
          case "aarch64", "arm64" -> "aarch64";
          default -> null;
        };
    if (os == null || arch == null) {
      throw new DevStackException(
          "no MySQL can be fetched for %s on %s: install MySQL 8.0 or later and set CELLMESH_MYSQL_HOME to the directory that holds its bin/mysqld"
              .formatted(osName, osArch));
    }
    return new Platform(os, arch);
  }

  boolean isLinux() {
    return os.equals("linux");
  }

  String classifier() {
    return os + "-" + arch;
  }
}
