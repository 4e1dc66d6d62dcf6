package io.cellmesh.connect.source;

import org.apache.kafka.connect.data.Struct;

/**
 * A field of structs whose schemas are alike, as those of all entity tables are: it is looked up by
 * its name once, and then found at its place. Thread-safe.
 */
final class StructField {
  private final String name;
  private volatile int index;

  StructField(String name) {
    this.name = name;
  }

  /** Its value; null if there is none, or no such field. */
  Object in(Struct struct) {
    var fields = struct.schema().fields();
    int at = index;
    if (at >= fields.size() || !fields.get(at).name().equals(name)) {
      var field = struct.schema().field(name);
      if (field == null) {
        return null;
      }
      at = field.index();
      index = at;
    }
    return struct.get(fields.get(at));
  }
}
