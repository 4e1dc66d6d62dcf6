package io.cellmesh.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Topics;
import io.cellmesh.cell.index.IndexDefinition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PassTest {
  private static final IndexDefinition BY_DRIVER =
      IndexDefinition.parse(
          """
          table: by_driver
          datastore: trips
          column_defs:
            - column_key: BASE
              fields:
                - {field: driver, type: string}
          """);
  private static final Pass PASS =
      new Pass("p1", List.of(BY_DRIVER, BY_DRIVER.withVersion(2)), true);

  @Test
  void what_is_stored_is_read_back() {
    assertThat(Pass.parse("p1", PASS.toJson(), "trips")).isEqualTo(PASS);
    var later = new Pass("p2", List.of(BY_DRIVER), false);
    assertThat(Pass.parse("p2", later.toJson(), "trips")).isEqualTo(later);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"v\":1 | \"v\":2 | v: 2 is not 1, the only form that is known here",
        "\"v\":1 | \"v\":\"1\" | v: \"1\" is not 1",
        "\"v\":1, | '' | v: is missing",
        "\"v\":1 | \"v\":1,\"w\":1 | w: is not known",
        "\"v\":1 | \"v\":1,\"v\":1 | the value is no JSON",
        "true | \"yes\" | backfill: must be true or false",
        "by_driver | by_rider | digest: ",
        "{\"v\" | [] {\"v\" | the value is no JSON",
        "\"digest\":\" | \"digest\":1,\"e\":\" | e: is not known",
      })
  void a_value_that_was_changed_is_refused_by_field_and_rule(
      String stored, String changed, String rule) {
    var value =
        new String(PASS.toJson(), StandardCharsets.UTF_8)
            .replaceFirst(Pattern.quote(stored), changed);
    assertThatThrownBy(() -> Pass.parse("p1", value.getBytes(StandardCharsets.UTF_8), "trips"))
        .hasMessageContaining(rule);
  }

  @Test
  void a_name_or_definitions_that_no_pass_can_have_are_refused() {
    assertThatThrownBy(() -> new Pass("P 1", List.of(BY_DRIVER), false))
        .hasMessage("\"P 1\" is no name of a pass, which is 1 to 48 of a-z, 0-9, _ and -");
    assertThatThrownBy(() -> new Pass("p1", List.of(), false))
        .hasMessage("a pass has at least one definition");
    assertThatThrownBy(() -> new Pass("p1", List.of(BY_DRIVER, BY_DRIVER), false))
        .hasMessage("table: by_driver stands there twice");
    assertThatThrownBy(() -> Pass.parse("p1", PASS.toJson(), "orders"))
        .hasMessage("datastore: \"trips\" is not this instance, orders");
  }

  @Test
  void a_backfill_adds_the_topic_of_the_pass() {
    var topics = new Topics("trips");
    assertThat(PASS.sources(topics))
        .containsExactlyInAnyOrder("trips.log", "trips.index-backfill.p1");
    assertThat(PASS.outputs(topics))
        .containsExactlyInAnyOrder("trips.index.by_driver", "trips.index.by_driver.v2");
    assertThat(PASS.applicationId("trips")).isEqualTo("trips-index-p1");
  }
}
