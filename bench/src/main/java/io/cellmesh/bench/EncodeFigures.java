package io.cellmesh.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What {@link EncodeBench} found.
 *
 * @param java its version
 * @param record bytes of a record's value, on average
 */
public record EncodeFigures(Machine machine, String java, double record, List<Stage> stages) {
  public EncodeFigures {
    stages = List.copyOf(stages);
  }

  /**
   * One step, the median of some runs.
   *
   * @param nanos of a processor, each
   * @param allocated bytes of the heap, each
   * @param stored bytes of the stored body it makes, on average; 0 if it makes none
   */
  public record Stage(String name, double nanos, double allocated, double stored) {}

  /** The result for machines: nanoseconds and bytes. */
  public Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("name", "encode");
    document.put("record_bytes", Math.round(record));
    for (var stage : stages) {
      var name = stage.name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
      document.put(name + "_ns", Math.round(stage.nanos));
      document.put(name + "_allocated", Math.round(stage.allocated));
      if (stage.stored > 0) {
        document.put(name + "_stored", Math.round(stage.stored));
      }
    }
    return document;
  }
}
