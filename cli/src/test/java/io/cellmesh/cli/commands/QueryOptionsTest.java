package io.cellmesh.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.storage.index.Condition;
import io.cellmesh.storage.index.IndexHit;
import io.cellmesh.storage.index.IndexQuery;
import io.cellmesh.storage.index.IndexQueryException;
import io.cellmesh.storage.index.RowColumns;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class QueryOptionsTest {
  private static final IndexDefinition TRIPS =
      IndexDefinition.parse(
          """
          table: trips_of_driver
          datastore: trips
          column_defs:
            - column_key: BASE
              fields:
                - {field: driver, type: string}
                - {field: fare, type: decimal}
                - {field: paid, type: boolean}
                - {field: at, type: datetime}
          """);

  @Test
  void everyOptionReachesTheQuery() {
    assertThat(
            query(
                "--where=fare>=12.5",
                "--where=driver=ann",
                "--where=at between 2019-03-01 00:00:00 and 2019-03-31 23:59:59",
                "--select=fare,at",
                "--order=at:desc,fare",
                "--limit=7",
                "--after=AbC",
                "--columns=BASE,STATUS"))
        .isEqualTo(
            IndexQuery.of("ann")
                .where(new Condition("fare", Condition.Operator.AT_LEAST, "12.5"))
                .where(
                    new Condition(
                        "at",
                        Condition.Operator.BETWEEN,
                        "2019-03-01 00:00:00",
                        "2019-03-31 23:59:59"))
                .select(List.of("fare", "at"))
                .orderBy("at", true)
                .orderBy("fare", false)
                .limit(7)
                .after("AbC")
                .withColumns(RowColumns.LATEST.named("BASE", "STATUS")));
  }

  @Test
  void withoutOptionsItIsTheFirstHundredEntriesWithAllFields() {
    assertThat(query("--where=driver=ann")).isEqualTo(IndexQuery.of("ann").limit(100));
  }

  @Test
  void cellsAreTheLatestOrAll() {
    assertThat(query("--where=driver=ann", "--columns=latest").columns())
        .contains(RowColumns.LATEST);
    assertThat(query("--where=driver=ann", "--columns=all").columns()).contains(RowColumns.ALL);
  }

  @Test
  void withoutAValueOfTheShardFieldItIsRefused() {
    for (var where : List.of("fare=1", "driver!=ann", "driver in ann,bob")) {
      refused(
          "driver: this is the shard field of trips_of_driver, and a query must say what it equals",
          "--where=" + where);
    }
  }

  @Test
  void whatCantBeReadIsRefusedWithItsRule() {
    refused("\"driver\" is not a condition such as field=value", "--where=driver");
    refused("--order at:down: FIELD, or FIELD:desc", "--where=driver=ann", "--order=at:down");
    refused("limit: must be at least 1, not 0", "--where=driver=ann", "--limit=0");
  }

  @Test
  void anEntryIsJsonWithNumbersAndTruthValuesAsThemselves() {
    var fields = new LinkedHashMap<String, String>();
    fields.put("driver", "a\"n");
    fields.put("fare", "12.500000000000000001");
    fields.put("paid", "true");
    fields.put("at", null);

    assertThat(HitText.json(TRIPS, new IndexHit(new UUID(0, 1), fields, List.of())))
        .isEqualTo(
            "{\"row_key\":\"00000000-0000-0000-0000-000000000001\",\"driver\":\"a\\\"n\","
                + "\"fare\":12.500000000000000001,\"paid\":true,\"at\":null}");
  }

  private static void refused(String message, String... options) {
    assertThatThrownBy(() -> query(options))
        .isInstanceOf(IndexQueryException.class)
        .hasMessageStartingWith(message);
  }

  private static IndexQuery query(String... options) {
    return CommandLine.populateCommand(new QueryOptions(), options).query(TRIPS);
  }
}
