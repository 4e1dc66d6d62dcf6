package io.cellmesh.e2e.monitoring;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A dashboard as Grafana imports it, written from its panels. */
final class Dashboard {
  /** Grafana's, with a grid of 24 columns. */
  private static final int SCHEMA = 39;

  private static final int WIDTH = 12;
  private static final int HEIGHT = 8;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final String name;
  private final String title;
  private final List<Panel> panels = new ArrayList<>();
  private String clusters = "";

  /** What a graph counts, as Grafana names it. */
  enum Unit {
    NUMBER("short"),
    A_SECOND("cps"),
    SECONDS("s"),
    BYTES("bytes"),
    YES("bool");

    private final String name;

    Unit(String name) {
      this.name = name;
    }
  }

  private record Panel(String title, Unit unit, List<Query> queries) {}

  /**
   * @param legend what tells its lines apart, with labels in double braces
   */
  record Query(String expression, String legend) {}

  Dashboard(String name, String title) {
    this.name = name;
    this.title = title;
  }

  /** Lets the reader choose a storage cluster, of those that this metric has as {@code primary}. */
  Dashboard ofCluster(String metric) {
    this.clusters = metric;
    return this;
  }

  /** Adds a graph. */
  Dashboard panel(String title, Unit unit, Query... queries) {
    panels.add(new Panel(title, unit, List.of(queries)));
    return this;
  }

  Path file() {
    return ShownMetrics.MONITORING.resolve("grafana/" + name + ".json");
  }

  /** All expressions of it, for every cluster. */
  Stream<String> expressions() {
    return panels.stream()
        .flatMap(panel -> panel.queries.stream())
        .map(query -> query.expression.replace("$cluster", ".*"));
  }

  /** Writes it; each panel says what its metrics are, in the words of their HELP. */
  String json(ShownMetrics shown) throws IOException {
    var root = MAPPER.createObjectNode();
    root.put("uid", "cellmesh-" + name).put("title", title).put("schemaVersion", SCHEMA);
    root.put("editable", true).put("refresh", "30s");
    root.putArray("tags").add("cellmesh");
    root.putObject("time").put("from", "now-1h").put("to", "now");
    var variables = root.putObject("templating").putArray("list");
    variables
        .addObject()
        .put("name", "datasource")
        .put("type", "datasource")
        .put("query", "prometheus");
    if (!clusters.isEmpty()) {
      var query = "label_values(%s, primary)".formatted(clusters);
      var cluster = variables.addObject().put("name", "cluster").put("type", "query");
      datasource(cluster);
      cluster.put("query", query).put("definition", query).put("refresh", 2).put("sort", 1);
    }
    var all = root.putArray("panels");
    for (int i = 0; i < panels.size(); i++) {
      var at = all.addObject();
      at.put("id", i + 1).put("type", "timeseries");
      at.putObject("gridPos")
          .put("x", i % 2 * WIDTH)
          .put("y", i / 2 * HEIGHT)
          .put("w", WIDTH)
          .put("h", HEIGHT);
      write(panels.get(i), at, shown);
    }
    var printer = new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
    printer.indentArraysWith(new DefaultIndenter("  ", "\n"));
    return MAPPER.writer(printer).writeValueAsString(root) + "\n";
  }

  private static void write(Panel panel, ObjectNode at, ShownMetrics shown) {
    at.put("title", panel.title).put("description", description(panel, shown));
    datasource(at);
    var defaults = at.putObject("fieldConfig").putObject("defaults");
    defaults.put("unit", panel.unit.name).put("min", 0);
    at.putObject("options").putObject("tooltip").put("mode", "multi");
    var targets = at.putArray("targets");
    for (int i = 0; i < panel.queries.size(); i++) {
      var query = panel.queries.get(i);
      targets
          .addObject()
          .put("refId", String.valueOf((char) ('A' + i)))
          .put("expr", query.expression)
          .put("legendFormat", query.legend);
    }
  }

  private static String description(Panel panel, ShownMetrics shown) {
    return panel.queries.stream()
        .flatMap(query -> Expression.of(query.expression).metrics().stream())
        .distinct()
        .map(metric -> "%s: %s".formatted(metric, shown.get(metric).help()))
        .collect(Collectors.joining("\n\n"));
  }

  private static void datasource(ObjectNode of) {
    of.putObject("datasource").put("type", "prometheus").put("uid", "${datasource}");
  }
}
