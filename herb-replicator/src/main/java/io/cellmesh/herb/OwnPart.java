package io.cellmesh.herb;

/**
 * Which part of a peer's log is its own cells, as it was read last. What others wrote stands there
 * as well, two thirds of it in a mesh of three, and costs next to nothing to read past. Not
 * thread-safe.
 */
final class OwnPart {
  private final long sample;
  private long readAt = -1;
  private long broughtAt;
  private double part = 1;

  /**
   * @param windows cells in all windows of the link: so many records at most were read whose cells
   *     are not counted yet
   */
  OwnPart(long windows) {
    this.sample = 2 * windows;
  }

  /**
   * Looks at the link; where it has read little since the last time the part stays what it was, all
   * at first.
   *
   * @param read records of the peer's log, since its run began
   * @param brought cells, counted from anywhere
   * @return 0 to 1
   */
  double look(long read, long brought) {
    if (readAt < 0) {
      begin(read, brought);
    } else if (read - readAt >= sample) {
      part = Math.min(1, (double) (brought - broughtAt) / (read - readAt));
      begin(read, brought);
    }
    return part;
  }

  private void begin(long read, long brought) {
    readAt = read;
    broughtAt = brought;
  }
}
