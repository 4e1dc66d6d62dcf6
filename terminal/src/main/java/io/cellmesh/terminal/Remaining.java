package io.cellmesh.terminal;

/** How long something will take, in words. */
final class Remaining {
  private Remaining() {}

  /** Such as {@code , 3 min 05 s left}; nothing when nothing is left or the rate is not known. */
  static String text(long left, double perSecond) {
    if (left <= 0 || perSecond <= 0) {
      return "";
    }
    long seconds = (long) Math.ceil(left / perSecond);
    if (seconds < 60) {
      return ", %d s left".formatted(seconds);
    }
    return seconds < 3600
        ? ", %d min %02d s left".formatted(seconds / 60, seconds % 60)
        : ", %d h %02d min left".formatted(seconds / 3600, seconds / 60 % 60);
  }
}
