package io.cellmesh.devstack;

/**
 * The masters of two storage clusters, for tests that need no more: instance trips in dc1, 8 shards
 * over 4 partitions. Whoever asks in one JVM gets the same ones, because a server takes seconds to
 * start; they end with the JVM, and their directory goes with them.
 *
 * <p>Nobody closes them, and who stops, freezes or changes a server sets it right again.
 */
public final class SharedMasters {
  private static DevStack stack;

  private SharedMasters() {}

  /**
   * Starts them unless they run.
   *
   * @throws DevStackException if one does not start; the next call tries again
   */
  public static synchronized DevStack stack() {
    if (stack == null) {
      stack =
          DevStack.start(
              Options.defaults()
                  .withInstance("trips", 8, 4)
                  .withDatacenters(1)
                  .withMinions(0)
                  .withoutKafka(),
              Progress.silent());
    }
    return stack;
  }
}
