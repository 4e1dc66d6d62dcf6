package io.cellmesh.devstack.dist;

import java.util.Locale;

/** What this JVM runs on, where that decides what can be done. */
public final class OperatingSystem {
  private OperatingSystem() {}

  public static boolean isLinux() {
    return System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux");
  }
}
