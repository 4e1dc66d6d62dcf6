package io.cellmesh.connect.client;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A file of {@code connectors/}: what is posted to Connect, with placeholders {@code @{name}}
 * within its strings.
 */
public final class ConnectorTemplate {
  private static final Pattern PLACEHOLDER = Pattern.compile("@\\{([a-z.]+)}");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String file;
  private final String text;

  private ConnectorTemplate(String file, String text) {
    this.file = file;
    this.text = text;
  }

  public static ConnectorTemplate read(Path file) throws IOException {
    return new ConnectorTemplate(file.getFileName().toString(), Files.readString(file));
  }

  static ConnectorTemplate of(String file, String text) {
    return new ConnectorTemplate(file, text);
  }

  /** Whether the template has a placeholder, and so makes one connector for each of its values. */
  public boolean uses(String placeholder) {
    return placeholders().contains(placeholder);
  }

  /**
   * The JSON with every placeholder replaced, escaped as a JSON string needs it.
   *
   * @throws IllegalArgumentException naming the placeholders that have no value
   */
  public Connector render(Map<String, String> values) {
    var missing = new TreeSet<>(placeholders());
    missing.removeAll(values.keySet());
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(file + ": no value for " + missing);
    }
    var json =
        PLACEHOLDER
            .matcher(text)
            .replaceAll(
                found ->
                    java.util.regex.Matcher.quoteReplacement(
                        new String(
                            JsonStringEncoder.getInstance()
                                .quoteAsString(values.get(found.group(1))))));
    try {
      var node = (ObjectNode) JSON.readTree(json);
      return new Connector(node.required("name").asText(), node);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + ": not JSON after its placeholders are filled", e);
    }
  }

  private Set<String> placeholders() {
    return PLACEHOLDER
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
  }

  /**
   * What is posted to Connect.
   *
   * @param json an object with name and config
   */
  public record Connector(String name, ObjectNode json) {

    /** The settings alone, as {@code PUT /connectors/NAME/config} takes them. */
    public Map<String, String> config() {
      return json.required("config").properties().stream()
          .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().asText()));
    }

    public String connectorClass() {
      return config().get("connector.class");
    }

    /** Whether it writes the log. */
    public boolean isSource() {
      return connectorClass().endsWith("SourceConnector");
    }

    /** The same with one more setting. */
    public Connector with(String setting, String value) {
      var changed = json.deepCopy();
      changed.withObject("/config").put(setting, value);
      return new Connector(name, changed);
    }

    public String text() {
      return json.toPrettyString();
    }
  }
}
