package io.cellmesh.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * What a worker's memory did over many cells.
 *
 * @param cells found in the tables
 * @param samples in the order of time
 */
public record SoakFigures(long cells, double seconds, List<Sample> samples) {
  /** What may come from chance: a tenth. */
  private static final double FLAT = 1.1;

  public SoakFigures {
    samples = List.copyOf(samples);
  }

  /**
   * One look at the worker.
   *
   * @param heap bytes in use after a garbage collection
   * @param resident bytes; 0 when nobody knows
   */
  public record Sample(double seconds, long cells, long heap, long resident) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%,.0f s: %,d cells, heap after GC %.1f MiB, resident %.1f MiB",
          seconds,
          cells,
          mebibytes(heap),
          mebibytes(resident));
    }
  }

  /**
   * The heap after GC in the last third of the samples over that in the first third, by medians.
   * The JVM's own warm-up lies in the first sample, which does not count.
   */
  public double heapGrowth() {
    return growth(Sample::heap);
  }

  /** The same of the resident memory, which also follows how large the JVM makes its heap. */
  public double residentGrowth() {
    return growth(Sample::resident);
  }

  /** Whether the heap after GC stayed within a tenth. */
  public boolean flat() {
    return heapGrowth() <= FLAT;
  }

  /** The result for machines. */
  public Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("name", "sink-soak");
    document.put("cells", cells);
    document.put("cells_per_second", Math.round(cells / seconds));
    document.put("heap_growth", rounded(heapGrowth()));
    document.put("resident_growth", rounded(residentGrowth()));
    document.put("flat", flat());
    return document;
  }

  private double growth(ToLongFunction<Sample> what) {
    var counted = samples.size() > 3 ? samples.subList(1, samples.size()) : samples;
    int third = Math.max(1, counted.size() / 3);
    double first = median(counted.subList(0, third), what);
    double last = median(counted.subList(counted.size() - third, counted.size()), what);
    return first == 0 ? 1 : last / first;
  }

  private static double median(List<Sample> samples, ToLongFunction<Sample> what) {
    return Statistics.median(samples.stream().mapToDouble(what::applyAsLong).toArray());
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  private static double mebibytes(long bytes) {
    return bytes / (double) (1 << 20);
  }
}
