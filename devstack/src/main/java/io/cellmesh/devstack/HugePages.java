package io.cellmesh.devstack;

import io.cellmesh.devstack.dist.OperatingSystem;
import java.util.List;

/**
 * A heap in large pages where Linux grants them to who asks: the processor looks addresses up less
 * often, which costs most on a virtual machine. A heap then takes its memory in pieces of 2 MiB, so
 * a stack of many small JVMs is better off without.
 */
public final class HugePages {
  private HugePages() {}

  /** Flags of a JVM; none where it does not know them. */
  public static List<String> flags() {
    return OperatingSystem.isLinux() ? List.of("-XX:+UseTransparentHugePages") : List.of();
  }
}
