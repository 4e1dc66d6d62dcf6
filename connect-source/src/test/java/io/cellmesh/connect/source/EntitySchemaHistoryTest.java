package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.config.Configuration;
import io.debezium.connector.mysql.antlr.MySqlAntlrDdlParser;
import io.debezium.relational.Column;
import io.debezium.relational.TableId;
import io.debezium.relational.Tables;
import io.debezium.relational.history.SchemaHistory;
import io.debezium.relational.history.SchemaHistoryListener;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EntitySchemaHistoryTest {

  @Test
  void every_shard_has_its_entity_table() throws InterruptedException {
    var tables = recover("0-2,40-2084");

    assertThat(tables.tableIds()).hasSize(2048);
    assertThat(tables.forTable(new TableId("trips_0002", null, "entity"))).isNotNull();
    assertThat(tables.forTable(new TableId("trips_0003", null, "entity"))).isNull();
  }

  @Test
  void the_table_is_the_contracts() throws InterruptedException {
    var table = recover("7").forTable(new TableId("trips_0007", null, "entity"));

    assertThat(table.columns())
        .extracting(Column::name)
        .containsExactly(
            "added_id",
            "row_key",
            "column_name",
            "ref_key",
            "body",
            "origin",
            "origin_id",
            "created_at");
    assertThat(table.primaryKeyColumnNames()).containsExactly("added_id");
    assertThat(table.columnWithName("origin_id").isOptional()).isTrue();
    assertThat(table.columnWithName("column_name").charsetName()).isEqualTo("utf8mb4");
  }

  @Test
  void it_is_always_there() {
    assertThat(history("0").exists()).isTrue();
    assertThat(history("0").storageExists()).isTrue();
  }

  @SuppressWarnings("deprecation")
  private static Tables recover(String shards) throws InterruptedException {
    var tables = new Tables();
    history(shards).recover(Map.of(), tables, new MySqlAntlrDdlParser());
    return tables;
  }

  private static SchemaHistory history(String shards) {
    var history = new EntitySchemaHistory();
    history.configure(
        Configuration.from(
            Map.of(EntitySchemaHistory.INSTANCE, "trips", EntitySchemaHistory.SHARDS, shards)),
        null,
        SchemaHistoryListener.NOOP,
        true);
    return history;
  }
}
