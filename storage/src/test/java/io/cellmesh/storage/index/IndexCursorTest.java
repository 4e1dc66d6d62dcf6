package io.cellmesh.storage.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.index.IndexDefinition;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexCursorTest {
  private static final String AT = "2019-03-01T00:00:00.000000Z";

  @Test
  void theNextPageIsWhatStandsBehindTheLastEntry() {
    var cursor = cursor(query("ann"), AT, "12.5");

    assertThat(cursor).matches("[A-Za-z0-9_-]+");
    assertThat(sql(query("ann").after(cursor)))
        .endsWith(
            " AND ((`at` < ? OR `at` IS NULL) OR `at` = ? AND `fare` > ?"
                + " OR `at` = ? AND `fare` = ? AND row_key > ?)"
                + " ORDER BY `at` DESC, `fare`, row_key LIMIT ?");
  }

  @Test
  void entriesWithoutAValueStandBelowAllOthers() {
    var cursor = cursor(query("ann"), null, null);

    assertThat(sql(query("ann").after(cursor)))
        .contains(
            " AND (`at` IS NULL AND `fare` IS NOT NULL"
                + " OR `at` IS NULL AND `fare` IS NULL AND row_key > ?)");
  }

  @Test
  void fieldsLimitAndVersionMayChangeBetweenPages() {
    var cursor = cursor(query("ann"), AT, "12.5");
    var next = query("ann").select(List.of("city")).limit(7).after(cursor);

    assertThat(sql(TripsOfDriver.DEFINITION.withVersion(2), next, "ann")).contains("row_key > ?");
  }

  @Test
  void conditionsMayBeWrittenInAnotherWay() {
    var first = query("ann").where(Condition.parse("fare>=10")).where(Condition.parse("city=Oslo"));
    var same =
        query("ann").where(Condition.parse("city=Oslo")).where(Condition.parse("fare>=10.0"));

    assertThat(sql(same.after(cursor(first, AT, "12.5")))).contains("row_key > ?");
  }

  @Test
  void aCursorOfAnotherQueryIsRefused() {
    var cursor = cursor(query("ann"), AT, "12.5");

    for (var other :
        List.of(
            query("bob"),
            query("ann").where(Condition.parse("fare>=10")),
            query("ann").orderBy("city", false),
            IndexQuery.of("ann").orderBy("at", false).orderBy("fare", false))) {
      assertThatThrownBy(() -> sql(other.after(cursor)))
          .isInstanceOf(IndexQueryException.class)
          .hasMessageStartingWith("after: \"")
          .hasMessageEndingWith(
              "is the cursor of another query; index, conditions and order must be the same");
    }
  }

  @Test
  void ofSeveralValuesThoseBehindTheEntrysOwnHaveItsPlaceStillBeforeThem() {
    var query = query("bob", "ann", "carl", "bob");
    var cursor = cursor(query, "bob", AT, "12.5");

    assertThat(cursor).matches("[A-Za-z0-9_-]+");
    for (var other : List.of(query("carl", "bob", "ann"), query("bob", "ann", "carl"))) {
      var next = other.after(cursor);
      assertThat(sql(TripsOfDriver.DEFINITION, next, "ann")).contains("row_key > ?");
      assertThat(sql(TripsOfDriver.DEFINITION, next, "bob")).contains("row_key > ?");
      assertThat(sql(TripsOfDriver.DEFINITION, next, "carl")).contains("row_key >= ?");
    }
  }

  @Test
  void aCursorOfOtherValuesIsRefused() {
    var ofTwo = cursor(query("ann", "bob"), "ann", AT, "12.5");
    for (var other :
        List.of(query("ann"), query("bob"), query("ann", "carl"), query("ann", "bob", "carl"))) {
      assertThatThrownBy(() -> sql(other.after(ofTwo))).hasMessageContaining("of another query");
    }
    var ofOne = cursor(query("ann", "ann"), AT, "12.5");
    assertThat(sql(query("ann").after(ofOne))).contains("row_key > ?");
    assertThatThrownBy(() -> sql(query("ann", "bob").after(ofOne)))
        .hasMessageContaining("of another query");
    var bytes = Base64.getUrlDecoder().decode(ofTwo);
    for (int length = 0; length < bytes.length; length++) {
      var cut = Base64.getUrlEncoder().encodeToString(Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> sql(query("ann", "bob").after(cut)))
          .hasMessageEndingWith("is not a cursor that a query gave");
    }
  }

  @Test
  void entriesOfSeveralValuesAreMergedInTheOrderThatMySqlHas() {
    var statement = statement(TripsOfDriver.DEFINITION, query("ann", "bob").limit(4));
    var late = hit(1, "bob", "2019-03-02T00:00:00.000000Z", "1");
    var cheap = hit(2, "ann", AT, "9");
    var dear = hit(0x80_00_00_00_00_00_00_00L, "ann", AT, "12.5");
    var twiceOfAnn = hit(3, "ann", AT, "12.5");
    var twiceOfBob = hit(3, "bob", AT, "12.5");
    var without = hit(4, "ann", null, null);

    assertThat(statement.merged(List.of(cheap, twiceOfAnn, dear, without, late, twiceOfBob)))
        .as("five, one of which says that there is more")
        .containsExactly(late, cheap, twiceOfAnn, twiceOfBob, dear);
  }

  @Test
  void whatWasCutOffOrAddedToIsRefused() {
    var cursor = cursor(query("ann"), AT, "12.5");
    var bytes = Base64.getUrlDecoder().decode(cursor);

    for (int length = 0; length < bytes.length; length++) {
      refused(Base64.getUrlEncoder().encodeToString(Arrays.copyOf(bytes, length)));
    }
    refused(Base64.getUrlEncoder().encodeToString(Arrays.copyOf(bytes, bytes.length + 1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "2", "not a cursor", "AQ==", "'; DROP TABLE x"})
  void whatIsNoCursorIsRefused(String text) {
    refused(text);
  }

  @Test
  void valuesAreNeverPartOfTheSql() {
    var evil = "x'; DROP TABLE trips; -- ";
    var query =
        query(evil)
            .where(new Condition("city", Condition.Operator.IN, evil, evil))
            .where(new Condition("city", Condition.Operator.NOT_EQUAL, evil))
            .orderBy("city", false);
    var values = new HashMap<>(values(AT, "1"));
    values.put("city", evil);
    var cursor =
        statement(TripsOfDriver.DEFINITION, query)
            .cursor(new IndexHit(new UUID(1, 2), values, List.of()));

    assertThat(sql(query.after(cursor))).doesNotContain("DROP");
    assertThat(new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8))
        .as("the cursor carries what the SQL binds")
        .contains(evil);
  }

  private static void refused(String text) {
    assertThatThrownBy(() -> sql(query("ann").after(text)))
        .isInstanceOf(IndexQueryException.class)
        .hasMessageStartingWith("after: \"")
        .hasMessageEndingWith("is not a cursor that a query gave");
  }

  private static IndexQuery query(String... drivers) {
    return IndexQuery.of(List.of(drivers)).orderBy("at", true).orderBy("fare", false).limit(20);
  }

  private static String cursor(IndexQuery query, String at, String fare) {
    return statement(TripsOfDriver.DEFINITION, query)
        .cursor(new IndexHit(new UUID(1, 2), values(at, fare), List.of()));
  }

  private static String cursor(IndexQuery query, String driver, String at, String fare) {
    return statement(TripsOfDriver.DEFINITION, query).cursor(hit(1, driver, at, fare));
  }

  private static IndexHit hit(long row, String driver, String at, String fare) {
    var values = values(at, fare);
    values.put("driver", driver);
    return new IndexHit(new UUID(row, 0), values, List.of());
  }

  private static HashMap<String, String> values(String at, String fare) {
    var values = new HashMap<String, String>();
    values.put("at", at);
    values.put("fare", fare);
    return values;
  }

  private static String sql(IndexQuery query) {
    return sql(TripsOfDriver.DEFINITION, query, query.shardValues().get(0));
  }

  private static String sql(IndexDefinition definition, IndexQuery query, String driver) {
    return statement(definition, query).sql(driver, "t").toString();
  }

  private static IndexStatement statement(IndexDefinition definition, IndexQuery query) {
    return new IndexStatement(definition, query);
  }
}
