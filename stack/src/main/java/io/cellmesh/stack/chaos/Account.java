package io.cellmesh.stack.chaos;

/**
 * What became of the records of one data centre, as {@link IndependentCheck} counted.
 *
 * @param records in {@code trips.cells} and {@code trips.mesh}
 * @param cells rows of the entity tables
 * @param lost records that are neither stored nor rejected, acknowledged cells without a row, and
 *     rows that the log lacks
 * @param reordered cells that stand, in the tables or in the log, where another one was before them
 * @param repeated records that came again in the log
 * @param rejected records that are in the topic of rejected records
 * @param conflicts those of them that came again with another body, of the known cells
 * @param phantom records that are stored, and told as rejected
 * @param toldAgain how often a record was told more than once, each time by the same topic,
 *     partition and offset
 * @param rebuilt records that were told by an equal cell, not to the byte: a buffer had the only
 *     copy
 * @param toldOtherwise how often what was told is not the record at the place that it names
 * @param disagreeing cells that another data centre wrote first and that are missing here, have
 *     another body or stand in another order; and those that are said to be from there and are not
 * @param compared records of which it was known what must become of them
 * @param misjudged those of them that are told as rejected and are sound, or the reverse
 * @param untriggered cells that the trigger was not called with
 * @param triggeredLate cells that came to the trigger after a later one of their shard
 */
public record Account(
    String datacenter,
    long records,
    long cells,
    long lost,
    long reordered,
    long repeated,
    long rejected,
    long conflicts,
    long phantom,
    long toldAgain,
    long rebuilt,
    long toldOtherwise,
    long disagreeing,
    long compared,
    long misjudged,
    long untriggered,
    long triggeredLate) {

  /** Whether it holds what it must; repetitions are judged by who knows whether they may be. */
  public boolean isClean() {
    return lost == 0
        && reordered == 0
        && phantom == 0
        && toldOtherwise == 0
        && disagreeing == 0
        && misjudged == 0
        && untriggered == 0
        && triggeredLate == 0;
  }
}
