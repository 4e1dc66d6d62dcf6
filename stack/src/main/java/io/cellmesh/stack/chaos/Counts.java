package io.cellmesh.stack.chaos;

import java.util.HashMap;
import java.util.Map;

/** An {@link Account} while it is counted, and what was told of each place in the topics. */
final class Counts {
  long records;
  long cells;
  long lost;
  long reordered;
  long repeated;
  long rejected;
  long conflicts;
  long phantom;
  long toldAgain;
  long rebuilt;
  long toldOtherwise;
  long disagreeing;
  long compared;
  long misjudged;
  long untriggered;
  long triggeredLate;
  final Map<String, ToldRecord> told = new HashMap<>();

  Account of(String datacenter) {
    return new Account(
        datacenter,
        records,
        cells,
        lost,
        reordered,
        repeated,
        rejected,
        conflicts,
        phantom,
        toldAgain,
        rebuilt,
        toldOtherwise,
        disagreeing,
        compared,
        misjudged,
        untriggered,
        triggeredLate);
  }
}
