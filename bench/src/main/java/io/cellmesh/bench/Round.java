package io.cellmesh.bench;

import java.util.Map;

/**
 * One measured part.
 *
 * @param cells made visible after the first that were seen
 * @param seconds from the first that were seen to the last
 * @param cpu seconds of processor time by process, as far as the system tells
 * @param others seconds of processor time that went to everything else on this machine; negative
 *     when nobody knows
 */
public record Round(long cells, double seconds, Map<String, Double> cpu, double others) {
  public double cellsPerSecond() {
    return cells / seconds;
  }
}
