package io.cellmesh.topics.load;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * The names of a CSV file's fields, each once: the second {@code fare} of a header is {@code
 * fare_2}, the third {@code fare_3}, and so on, past any name that the header has already.
 *
 * @param names of all fields, in their order
 * @param renamed those that the header does not have
 */
record CsvHeader(List<String> names, List<String> renamed) {
  CsvHeader {
    names = List.copyOf(names);
    renamed = List.copyOf(renamed);
  }

  /**
   * Reads a header.
   *
   * @throws CsvException if a name is empty
   */
  static CsvHeader of(List<String> fields) throws CsvException {
    if (fields.contains("")) {
      throw new CsvException(1, "the header has an empty name: " + fields);
    }
    var taken = new HashSet<>(fields);
    var names = new ArrayList<String>();
    var renamed = new ArrayList<String>();
    for (var field : fields) {
      if (names.contains(field)) {
        var name = free(field, taken);
        taken.add(name);
        renamed.add(name);
        names.add(name);
      } else {
        names.add(field);
      }
    }
    return new CsvHeader(names, renamed);
  }

  private static String free(String field, HashSet<String> taken) {
    int number = 2;
    while (taken.contains(field + "_" + number)) {
      number++;
    }
    return field + "_" + number;
  }
}
