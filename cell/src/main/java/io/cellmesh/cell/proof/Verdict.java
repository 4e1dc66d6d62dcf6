package io.cellmesh.cell.proof;

import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What is known of the cells of an origin in another data centre at a moment.
 *
 * @param agreed cells that are in its mesh topic as in the origin's log
 * @param held cells that are in its log as in the origin's
 * @param waiting cells of the origin's log that have not arrived in the mesh topic
 * @param waitingSince when the first of these had been written, at the latest: the time of the last
 *     cell of its block of 64 origin_ids, in milliseconds since 1970; empty if none waits
 * @param repeats how often cells came again in the mesh topic
 * @param agreedTo of each shard the origin_id up to which its mesh topic agrees
 * @param differences what is wrong
 * @param absent what the log here has not, be it right or wrong
 * @param thereAt when the origin's foldings of all partitions had been heard, in milliseconds since
 *     1970; empty if one never was
 * @param hereAt the same of the foldings here
 */
public record Verdict(
    long agreed,
    long held,
    long waiting,
    OptionalLong waitingSince,
    long repeats,
    TreeMap<Integer, Long> agreedTo,
    List<Difference> differences,
    List<Difference> absent,
    OptionalLong thereAt,
    OptionalLong hereAt) {

  public Verdict {
    differences = List.copyOf(differences);
    absent = List.copyOf(absent);
  }

  /** Cells that {@link #absent} names. */
  public long absentCells() {
    return absent.stream().mapToLong(Difference::count).sum();
  }

  /** Whether no difference is known. */
  public boolean agrees() {
    return differences.isEmpty();
  }

  /** When the proof was last made, in milliseconds since 1970; empty if it was never whole. */
  public OptionalLong provenAt() {
    return thereAt.isPresent() && hereAt.isPresent()
        ? OptionalLong.of(Math.min(thereAt.getAsLong(), hereAt.getAsLong()))
        : OptionalLong.empty();
  }
}
