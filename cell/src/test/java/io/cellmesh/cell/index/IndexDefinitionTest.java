package io.cellmesh.cell.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IndexDefinitionTest {
  private static final String TWO_COLUMNS =
      """
      table: trips_of_driver
      datastore: trips
      column_defs:
        - column_key: BASE
          fields:
            - {field: driver.uuid, type: UUID, as: driver_uuid}
            - {field: fare.currency, type: string}
        - column_key: FARE ADJUSTMENT
          fields:
            - {field: amount, type: decimal}
      """;

  @Test
  void theShippedExampleIsTheOneOfTheArticle() throws IOException {
    var home = Path.of(System.getProperty("cellmesh.home"));
    var yaml = Files.readString(home.resolve("connectors/indexes/driver_partner_index.yaml"));
    var definition = IndexDefinition.parse(yaml);
    assertThat(definition.name()).isEqualTo("driver_partner_index");
    assertThat(definition.datastore()).isEqualTo("trips");
    assertThat(definition.shardField())
        .isEqualTo(IndexField.of("driver_partner_uuid", FieldType.UUID));
    assertThat(definition.fields())
        .extracting(IndexField::name)
        .containsExactly("driver_partner_uuid", "city_uuid", "trip_created_at");
  }

  @Test
  void theExampleOnTheIndexPageIsOne() throws IOException {
    var page = Files.readString(Path.of(System.getProperty("cellmesh.home"), "docs/indexes.md"));
    var yaml = page.split("```yaml\n")[1].split("```")[0];
    assertThat(IndexDefinition.parse(yaml).fields())
        .extracting(IndexField::name)
        .containsExactly("driver_partner_uuid", "city_uuid", "trip_created_at", "state");
  }

  @Test
  void nestedFieldsAreCalledByTheirPathOrAsToldTo() {
    var definition = IndexDefinition.parse(TWO_COLUMNS);
    assertThat(definition.fields())
        .extracting(IndexField::name)
        .containsExactly("driver_uuid", "fare_currency", "amount");
    assertThat(definition.columnOf("FARE ADJUSTMENT")).isEqualTo(1);
    assertThat(definition.columnOf("base")).isEqualTo(-1);
    assertThat(definition.tableName()).isEqualTo("idx_trips_of_driver_v1");
  }

  @Test
  void itsTextReadsBackAsAnEqualDefinitionWithAnEqualDigest() {
    var definition = IndexDefinition.parse(TWO_COLUMNS);
    var again = IndexDefinition.parse(IndexDefinitionYaml.write(definition));
    assertThat(again).isEqualTo(definition);
    assertThat(again.digest()).isEqualTo(definition.digest()).hasSize(16);
    assertThat(IndexDefinition.parse(TWO_COLUMNS.replace("decimal", "double")).digest())
        .isNotEqualTo(definition.digest());
  }

  @Test
  void aVersionHasATableATopicAndADigestOfItsOwn() {
    var first = IndexDefinition.parse(TWO_COLUMNS);
    var second = IndexDefinition.parse(TWO_COLUMNS.replace("datastore:", "version: 2\ndatastore:"));
    assertThat(second).isEqualTo(first.withVersion(2)).isNotEqualTo(first);
    assertThat(IndexDefinition.parse(second.toYaml())).isEqualTo(second);
    assertThat(second.digest()).isNotEqualTo(first.digest());
    assertThat(second.tableName()).isEqualTo("idx_trips_of_driver_v2");
    assertThat(first.label()).isEqualTo("trips_of_driver");
    assertThat(second.label()).isEqualTo("trips_of_driver.v2");
    refused(
        TWO_COLUMNS.replace("datastore:", "version: 0\ndatastore:"),
        "line 2: version: \"0\" is not 1 to 9999");
  }

  @Test
  void severalStandInOneTextAndReadBackAsTheyWere() {
    var first = IndexDefinition.parse(TWO_COLUMNS);
    var both = List.of(first, first.withVersion(2));
    assertThat(IndexDefinition.parseAll(IndexDefinition.toYaml(both))).isEqualTo(both);
    assertThat(IndexDefinition.parseAll("---\n" + TWO_COLUMNS + "\n---\n")).containsExactly(first);
  }

  @Test
  void ofSeveralTheOneThatIsRefusedIsNamedByItsLineInTheWholeText() {
    var second = TWO_COLUMNS.replace("datastore:", "version: 2\ndatastore:");
    int before = TWO_COLUMNS.lines().toList().size() + 1;
    assertThatThrownBy(
            () ->
                IndexDefinition.parseAll(
                    TWO_COLUMNS + "---\n" + second.replace("decimal", "money")))
        .isInstanceOf(IndexDefinitionException.class)
        .hasMessageStartingWith("line %d: type: \"money\"".formatted(before + 11));
    assertThatThrownBy(() -> IndexDefinition.parseAll(TWO_COLUMNS + "---\n" + TWO_COLUMNS))
        .isInstanceOf(IndexDefinitionException.class)
        .hasMessage("line %d: table: trips_of_driver stands there twice".formatted(before + 1));
    assertThatThrownBy(() -> IndexDefinition.parseAll("---\n"))
        .isInstanceOf(IndexDefinitionException.class)
        .hasMessage("no index definition");
  }

  @Test
  void anUnknownTypeIsRefusedWithItsLine() {
    refused(TWO_COLUMNS.replace("decimal", "money"), "line 10: type: \"money\" is none of [UUID,");
  }

  @Test
  void aNameThatIsUsedTwiceIsRefusedWithBothLines() {
    refused(
        TWO_COLUMNS.replace("amount", "fare.currency"),
        "line 10: field: \"fare_currency\" is used twice, first in line 7");
    refused(
        TWO_COLUMNS.replace("FARE ADJUSTMENT", "BASE"),
        "line 8: column_key: \"BASE\" is used twice, first in line 4");
  }

  @Test
  void aReservedOrUnfitNameIsRefusedWithItsLine() {
    refused(TWO_COLUMNS.replace("amount", "removed"), "line 10: field: the name \"removed\" is");
    refused(TWO_COLUMNS.replace("amount", "version_7"), "line 10: field: the name \"version_7\"");
    refused(
        TWO_COLUMNS.replace("amount", "Amount"), "line 10: field: the name \"Amount\" is not 1");
    refused(TWO_COLUMNS.replace("amount", "a..b"), "line 10: field: \"a..b\" is not a name or");
    refused(TWO_COLUMNS.replace("trips_of_driver", "Trips"), "line 1: table: \"Trips\" is not 1");
    refused(
        TWO_COLUMNS.replace("datastore: trips", "datastore: my-trips"),
        "line 2: datastore: \"my-trips\" is not 1");
  }

  @Test
  void withoutAShardFieldItIsRefused() {
    refused("table: a\ndatastore: trips\ncolumn_defs: []\n", "line 3: column_defs: there is none");
    refused(
        "table: a\ndatastore: trips\ncolumn_defs:\n  - column_key: BASE\n    fields: []\n",
        "line 4: fields: column BASE has none");
    refused(
        TWO_COLUMNS.replace("type: UUID", "type: double"),
        "line 6: type: the shard field is looked up by its exact value");
  }

  @Test
  void whatIsMissingUnknownOrMisplacedIsRefusedWithItsLine() {
    refused(TWO_COLUMNS.replace("datastore: trips\n", ""), "line 1: datastore is missing");
    refused(TWO_COLUMNS.replace("type: decimal", "typ: decimal"), "line 10: fields: unknown field");
    refused(
        TWO_COLUMNS.replace("datastore: trips", "datastore: [trips]"), "line 2: datastore must");
    refused(TWO_COLUMNS + "table: again\n", "line 11: \"table\" stands twice");
    refused("", "the index definition is empty");
    refused("table: a\ncolumn_defs: [\n", "line 2: not YAML: expected the node content");
    refused("table: a\n\tdatastore: b\n", "line 2: not YAML: found character '\\t");
  }

  @Test
  void moreFieldsThanARowCanHoldAreRefused() {
    var fields =
        IntStream.range(0, IndexDefinition.MAX_FIELDS + 1)
            .mapToObj(i -> "      - {field: f" + i + ", type: string}\n")
            .collect(Collectors.joining());
    refused(
        "table: a\ndatastore: trips\ncolumn_defs:\n  - column_key: BASE\n    fields:\n" + fields,
        "line 4: fields: over 32");
  }

  private static void refused(String yaml, String message) {
    assertThatThrownBy(() -> IndexDefinition.parse(yaml))
        .isInstanceOf(IndexDefinitionException.class)
        .hasMessageStartingWith(message);
  }
}
