package io.cellmesh.devstack;

import java.util.List;
import java.util.Locale;

/**
 * A heap in large pages where Linux grants them to who asks: the processor looks addresses up less
 * often, which costs most on a virtual machine. A heap then takes its memory in pieces of 2 MiB, so
 * a stack of many small JVMs is better off without.
 */
public final class HugePages {
  private HugePages() {}

  /** Flags of a JVM; none where it does not know them. */
  public static List<String> flags() {
    return System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux")
        ? List.of("-XX:+UseTransparentHugePages")
        : List.of();
  }
}
