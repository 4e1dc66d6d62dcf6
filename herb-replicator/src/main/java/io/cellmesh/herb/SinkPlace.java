package io.cellmesh.herb;

import java.util.OptionalLong;

/** How far this data centre's sink has passed the mesh topic, as far as it was heard. */
interface SinkPlace {
  /**
   * The next offset of a partition that it has not passed; empty where no sink has ever committed
   * one, or it can't be asked for.
   */
  OptionalLong passed(int partition);

  /**
   * How many of this data centre's own cells it has passed, counted from anywhere; empty where that
   * can't be asked for.
   */
  OptionalLong own();

  /** Has it asked for anew within moments; returns at once. */
  void ask();
}
