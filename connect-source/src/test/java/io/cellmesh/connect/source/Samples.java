package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.connect.client.ConnectorTemplate;
import io.cellmesh.connect.client.ConnectorTemplate.Connector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.source.SourceRecord;

/** A topology and settings that are right. */
final class Samples {
  static final String TOPOLOGY =
      """
      instance: trips
      shards: 64
      partitions: 16
      datacenter: dc1
      clusters:
        - name: c1
          shards: 0-31
          epoch: 1
          master: {url: "mysql://db1.example:3301", domain: rack1}
          minions: [{url: "mysql://db2.example:3302", domain: rack2}]
        - name: c2
          shards: 32-63
          epoch: 1
          master: {url: "mysql://db3.example:3303", domain: rack2}
          minions: []
      """;

  private Samples() {}

  /** connectors/cell-source.json, rendered for the topology's cluster c1. */
  static Connector shipped(String topology, String user, String password) throws IOException {
    var home = Path.of(System.getProperty("cellmesh.home"));
    var partitions = TopologyYaml.parse(topology).shards().partitions();
    var connector =
        ConnectorTemplate.read(home.resolve("connectors/cell-source.json"))
            .render(
                Map.of(
                    "topology",
                    topology,
                    "instance",
                    "trips",
                    "cluster",
                    "c1",
                    "partitions",
                    Integer.toString(partitions),
                    "mysql.user",
                    user,
                    "mysql.password",
                    password));
    assertThat(connector.text()).as("every placeholder is known").doesNotContain("@{");
    return connector;
  }

  /** Key, value, headers and time of a record: what does not depend on where it goes. */
  static String text(SourceRecord record) {
    var text = new StringBuilder();
    text.append(text(record.key())).append(' ').append(text(record.value()));
    record
        .headers()
        .forEach(h -> text.append(' ').append(h.key()).append('=').append(text(h.value())));
    return text.append(' ').append(record.timestamp()).toString();
  }

  private static String text(Object bytes) {
    return new String((byte[]) bytes, StandardCharsets.UTF_8);
  }

  static Map<String, String> settings() {
    var settings = new HashMap<String, String>();
    settings.put("topology", TOPOLOGY);
    settings.put("cluster", "c1");
    settings.put("mysql.user", "reader");
    settings.put("mysql.password", "s3cret");
    settings.put("mysql.ssl.mode", "PREFERRED");
    return settings;
  }

  static Map<String, String> settings(String name, String value) {
    var settings = settings();
    settings.put(name, value);
    return settings;
  }
}
