package io.cellmesh.connect.sink.base;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The converters that a sink needs. It reads records itself and tells rejected ones to the byte, so
 * that none may be converted but by one that keeps these bytes. They must be named, since nobody
 * tells a connector which ones its worker has by default.
 */
public final class Converters {
  public static final String KEY = "key.converter";
  public static final String VALUE = "value.converter";
  static final String HEADER = "header.converter";

  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

  /** Its name, and the two that workers take it for. */
  private static final List<String> NAMES = List.of(BYTES, "ByteArrayConverter", "ByteArray");

  private Converters() {}

  /**
   * Finds converters that are not named, or are others.
   *
   * @param values classes that may convert values as well
   * @return the rule that is broken, by the setting's name; empty if none is
   */
  public static Map<String, String> problems(Map<String, String> asked, String... values) {
    var problems = new LinkedHashMap<String, String>();
    for (var setting : List.of(KEY, VALUE, HEADER)) {
      var others = setting.equals(VALUE) ? List.of(values) : List.<String>of();
      var converter = asked.get(setting);
      if (converter == null) {
        problems.put(
            setting, rule(others) + ", and be named, since the worker's own may be another");
      } else if (!NAMES.contains(converter.strip()) && !others.contains(converter.strip())) {
        problems.put(setting, rule(others) + ", not " + converter);
      }
    }
    return problems;
  }

  static String rule() {
    return rule(List.of());
  }

  private static String rule(List<String> others) {
    var all = new ArrayList<>(List.of(BYTES));
    all.addAll(others);
    return "must be " + String.join(" or ", all);
  }
}
