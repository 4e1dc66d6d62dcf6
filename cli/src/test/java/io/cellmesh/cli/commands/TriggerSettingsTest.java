package io.cellmesh.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.devstack.shipped.SettingsTable;
import io.cellmesh.operations.OperationException;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.triggers.Trigger;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TriggerSettingsTest {
  /** Of the library, which says them in its own words. */
  @Test
  void what_counts_if_nothing_is_said_is_what_counts_for_the_library() {
    assertThat(trigger(Map.of())).usingRecursiveComparison().isEqualTo(Trigger.named("billing"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "columns; BASE,STATUS; columns",
        "topic.of.column; true; topic",
        "order; row; order",
        "from; now; start",
        "from; 2026-01-31T12:00:00Z; start",
        "from; 1,2,3; start",
        "what.is.left; true; whatIsLeft",
        "threads; 9; threads",
        "attempts; 3; attempts",
        "age; 1d; age",
        "back.off; 100ms..1s; longestBackOff",
        "back.off; 1s..1m; shortestBackOff",
        "follow; false; rowsFollow",
        "session; 20s; session"
      })
  void each_setting_changes_what_it_names_and_nothing_else(
      String name, String value, String field) {
    var plain = Map.of("columns", name.equals("topic.of.column") ? "BASE" : "");
    var said = new HashMap<String, Object>(plain);
    said.put(name, value);

    assertThat(trigger(said))
        .usingRecursiveComparison()
        .withStrictTypeChecking()
        .isNotEqualTo(trigger(plain));
    assertThat(trigger(said))
        .usingRecursiveComparison()
        .ignoringFields(field)
        .isEqualTo(trigger(plain));
  }

  @Test
  void a_column_may_hold_a_comma_where_columns_are_a_list() {
    var said = Map.of("name", "billing", "columns", List.of("a,b", "c"));

    assertThat(TriggerSettings.parse(said).setup().columns()).containsExactly("a,b", "c");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "name; a b; a b",
        "order; cell; order",
        "from; yesterday; from = \"yesterday\": must be beginning",
        "threads; 0; threads",
        "threads; many; threads",
        "attempts; 0; attempts",
        "age; 0s; age = 0s: must be 1ms to 3650d",
        "age; 5; age = \"5\": must be a number with its unit",
        "back.off; 1s; back.off = \"1s\": must be the shortest and the longest time",
        "back.off; 1m..1s; back.off = 1s: must be 1m to 3650d",
        "session; 999ms; session = 999ms: must be 1s to 30m",
        "session; 31m; session = 31m: must be 1s to 30m",
        "follow; perhaps; follow",
        "topic.of.column; true; columns = []: the topic of a column is read for one column"
      })
  void what_can_not_be_is_refused_with_its_name_and_the_rule(
      String name, String value, String message) {
    assertThatThrownBy(() -> trigger(Map.of(name, value)))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining(message);
  }

  @Test
  void the_page_has_the_settings_of_the_code() throws IOException {
    var page = StateDirectory.home().resolve("docs/triggers.md");

    assertThat(page).hasContent(SettingsTable.expected(page, TriggerSettings.definition()));
  }

  private static Trigger trigger(Map<String, ?> settings) {
    var all = new HashMap<String, Object>(Map.of("name", "billing"));
    all.putAll(settings);
    return TriggerSettings.parse(all).trigger();
  }
}
