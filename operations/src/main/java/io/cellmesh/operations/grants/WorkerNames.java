package io.cellmesh.operations.grants;

import io.cellmesh.operations.OperationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * What the workers of a Connect cluster call their own in Kafka.
 *
 * @param offsets the topic of the sources' offsets
 * @param others their other two topics
 * @param exactlyOnce whether sources write in transactions
 */
public record WorkerNames(String group, String offsets, List<String> others, boolean exactlyOnce) {
  private static final String TOPIC = ".storage.topic";

  public WorkerNames {
    others = List.copyOf(others);
  }

  /**
   * Reads the properties that a worker is started with.
   *
   * @throws OperationException if they are not those of a distributed worker
   */
  public static WorkerNames read(Path file) throws IOException {
    var properties = new Properties();
    try (var in = Files.newBufferedReader(file)) {
      properties.load(in);
    }
    var others = new ArrayList<String>();
    others.add(need(file, properties, "config" + TOPIC));
    others.add(need(file, properties, "status" + TOPIC));
    var support = properties.getProperty("exactly.once.source.support", "disabled");
    return new WorkerNames(
        need(file, properties, "group.id"),
        need(file, properties, "offset" + TOPIC),
        others,
        !support.equalsIgnoreCase("disabled"));
  }

  private static String need(Path file, Properties properties, String name) {
    var value = properties.getProperty(name);
    if (value == null || value.isBlank()) {
      throw OperationException.invalid(
          "%s does not say %s, as the properties of a distributed worker do".formatted(file, name));
    }
    return value.strip();
  }
}
