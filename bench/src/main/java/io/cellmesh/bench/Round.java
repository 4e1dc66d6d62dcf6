package io.cellmesh.bench;

import java.util.Locale;
import java.util.Map;

/**
 * One measured part.
 *
 * @param cells made visible after the first that were seen
 * @param seconds from the first that were seen to the last
 * @param steady cells a second without the first fifth and the last, which depend on how the tasks
 *     begin and end
 * @param cpu seconds of processor time by process, as far as the system tells
 * @param compiling seconds of the worker's that its JVM compiled in: how far from warm it was
 * @param others seconds of processor time that went to everything else on this machine; negative
 *     when nobody knows
 * @param stolen seconds in which a hypervisor let other machines run although this one had work
 */
public record Round(
    long cells,
    double seconds,
    double steady,
    Map<String, Double> cpu,
    double compiling,
    double others,
    double stolen) {
  /** Of all that was asked of the processors, what is neither measured nor this process. */
  private static final double DISTURBED = 0.1;

  public double cellsPerSecond() {
    return cells / seconds;
  }

  /** Whether something else took so much of the processors that the figure is in doubt. */
  public boolean disturbed() {
    double lost = Math.max(0, others) + stolen;
    return lost > DISTURBED * (ours() + lost);
  }

  /** How many processors were busy on average, whoever used them. */
  public double busy() {
    return (ours() + Math.max(0, others)) / seconds;
  }

  private double ours() {
    return cpu.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,.0f cells/s, %,.0f in the middle (%,d in %.1f s)%s",
        cellsPerSecond(),
        steady,
        cells,
        seconds,
        disturbed()
            ? String.format(
                Locale.ROOT,
                ", disturbed: other processes took %.1f s, other machines %.1f s",
                Math.max(0, others),
                stolen)
            : "");
  }
}
