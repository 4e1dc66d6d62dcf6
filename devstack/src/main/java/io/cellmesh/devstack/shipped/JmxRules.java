package io.cellmesh.devstack.shipped;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The rules by which the Prometheus JMX exporter shows what a connector says about itself. Each is
 * of one attribute; the metric's name follows from the attribute's, in seconds where that is in
 * milliseconds.
 *
 * <p>A number that is none, or negative because it is not known, has no sample.
 */
public final class JmxRules {
  private static final String NAME = "\"?([^\",]+)\"?";
  private static final String NUMBER = "\\d";

  private final String prefix;
  private final String bean;
  private final Map<String, String> labels;
  private final StringBuilder rules = new StringBuilder();

  private JmxRules(String prefix, String bean, Map<String, String> labels) {
    this.prefix = prefix;
    this.bean = bean;
    this.labels = labels;
  }

  /** Begins the rules of a task. */
  public static JmxRules ofTask(String prefix) {
    var connector = ofConnector(prefix);
    var labels = new LinkedHashMap<>(connector.labels);
    labels.put("task", "$2");
    return new JmxRules(prefix, connector.bean + ", task=(\\d+)", labels);
  }

  /** Begins the rules of a connector. */
  public static JmxRules ofConnector(String prefix) {
    var labels = new LinkedHashMap<String, String>();
    labels.put("connector", "$1");
    return new JmxRules(prefix, "kafka.connect<type=plugins, connector=" + NAME, labels);
  }

  /** The name of an attribute's metric. */
  public static String metric(String prefix, String attribute) {
    return prefix + "_" + attribute.replace("-ms", "-seconds").replace('-', '_');
  }

  /**
   * Adds a number.
   *
   * @param tag what tells numbers of this name apart; empty if there is one only
   */
  public JmxRules number(String attribute, String tag, String meaning) {
    var factor = attribute.contains("-ms") ? "  valueFactor: 0.001\n" : "";
    if (tag.isEmpty()) {
      return rule(bean, attribute, NUMBER, factor, labels, meaning);
    }
    var of = with(tag, labels.size() + 1);
    return rule(bean + ", " + tag + "=" + NAME, attribute, NUMBER, factor, of, meaning);
  }

  /** Adds a text, which becomes a label of the number 1; an empty one has no sample. */
  public JmxRules text(String attribute, String label, String meaning) {
    var of = with(label, labels.size() + 1);
    return rule(bean, attribute, "((?s:.+))", "  value: 1\n", of, meaning);
  }

  /** Adds a GTID: the number in it, with a label for whose it is, which has few values. */
  public JmxRules gtid(String attribute, String label, String meaning) {
    int server = labels.size() + 1;
    var value = "  value: $%d\n".formatted(server + 1);
    return rule(bean, attribute, "(.+):(\\d+)", value, with(label, server), meaning);
  }

  /** All of them, for the exporter's file. */
  @Override
  public String toString() {
    return rules.toString();
  }

  private Map<String, String> with(String label, int group) {
    var more = new LinkedHashMap<>(labels);
    more.put(label, "$" + group);
    return more;
  }

  private JmxRules rule(
      String bean,
      String attribute,
      String value,
      String figure,
      Map<String, String> labels,
      String meaning) {
    rules.append(
        """
        - pattern: '%s><>%s: %s'
          name: %s
        %s  type: %s
          help: '%s'
          labels: {%s}
        """
            .formatted(
                bean,
                attribute,
                value,
                metric(prefix, attribute),
                figure,
                attribute.endsWith("-total") ? "COUNTER" : "GAUGE",
                meaning.replace("'", "''"),
                labels.entrySet().stream()
                    .map(label -> label.getKey() + ": \"" + label.getValue() + '"')
                    .collect(Collectors.joining(", "))));
    return this;
  }
}
