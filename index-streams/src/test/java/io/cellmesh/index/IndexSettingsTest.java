package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.index.IndexDefinition;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

class IndexSettingsTest {
  private static final IndexDefinition ONE = index("one", "string");
  private static final IndexDefinition TWO = index("two", "string");

  @Test
  void theSameIndexesGoOnWhereTheyWereInWhateverOrderTheyAreGiven() {
    assertThat(IndexSettings.applicationId("trips", List.of(ONE, TWO)))
        .isEqualTo(IndexSettings.applicationId("trips", List.of(TWO, ONE)))
        .matches("trips-index-[0-9a-f]{8}");
  }

  @Test
  void anIndexThatIsAddedOrAlteredStartsANewPass() {
    var one = IndexSettings.applicationId("trips", List.of(ONE));
    assertThat(IndexSettings.applicationId("trips", List.of(ONE, TWO))).isNotEqualTo(one);
    assertThat(IndexSettings.applicationId("trips", List.of(index("one", "integer"))))
        .isNotEqualTo(one);
  }

  @Test
  void streamsAcceptsTheSettings() {
    var settings = new IndexSettings("localhost:1", Path.of("state"), 2, 3).properties("id");
    var config = new StreamsConfig(settings);
    assertThat(config.getMainConsumerConfigs("group", "client", 0))
        .containsEntry("auto.offset.reset", "earliest")
        .containsEntry("session.timeout.ms", 10_000);
    assertThat(config.getProducerConfigs("client"))
        .containsEntry("linger.ms", 1)
        .containsEntry("delivery.timeout.ms", Integer.MAX_VALUE);
  }

  private static IndexDefinition index(String name, String type) {
    return IndexDefinition.parse(
        """
        table: %s
        datastore: trips
        column_defs:
          - column_key: BASE
            fields:
              - {field: a, type: %s}
        """
            .formatted(name, type));
  }
}
