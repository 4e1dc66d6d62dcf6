package io.cellmesh.connect.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ConnectorTemplateTest {
  private static final String TEMPLATE =
      """
      {"name": "@{instance}-sink", "config": {"topology": "@{topology}", "tasks.max": "2"}}
      """;

  @Test
  void whatIsFilledInIsEscapedAndComesOutAsItWas() {
    var yaml = "clusters:\n  - {name: \"c1\", path: 'C:\\x', cost: $5}\n";

    var connector =
        ConnectorTemplate.of("sink.json", TEMPLATE)
            .render(Map.of("instance", "trips", "topology", yaml));

    assertThat(connector.name()).isEqualTo("trips-sink");
    assertThat(connector.config()).containsEntry("topology", yaml).containsEntry("tasks.max", "2");
  }

  @Test
  void aValueMayLookLikeAPlaceholder() {
    var connector =
        ConnectorTemplate.of("sink.json", TEMPLATE)
            .render(Map.of("instance", "trips", "topology", "@{instance}"));

    assertThat(connector.config()).containsEntry("topology", "@{instance}");
  }

  @Test
  void aPlaceholderWithoutAValueIsNamed() {
    assertThatThrownBy(
            () -> ConnectorTemplate.of("sink.json", TEMPLATE).render(Map.of("instance", "trips")))
        .hasMessage("sink.json: no value for [topology]");
  }
}
