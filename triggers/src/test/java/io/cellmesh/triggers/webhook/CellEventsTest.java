package io.cellmesh.triggers.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.triggers.webhook.CellEvents.Event;
import java.util.LinkedHashMap;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class CellEventsTest {
  private final CellEvents events = new CellEvents("trips", "dc1", Content.BODY);

  @Test
  void an_event_says_of_its_cell_all_that_the_log_does() {
    var expected = new LinkedHashMap<String, String>();
    expected.put("ce-specversion", "1.0");
    expected.put("ce-type", "io.cellmesh.cell.added");
    expected.put("ce-source", "/trips/dc1/42");
    expected.put("ce-id", Cells.ROW + "/BASE/1");
    expected.put("ce-subject", Cells.ROW + "/BASE/1");
    expected.put("ce-time", "2026-01-31T12:00:00.120000Z");
    expected.put("ce-partitionkey", Cells.ROW);
    expected.put("ce-column", "BASE");
    expected.put("ce-refkey", "1");
    expected.put("ce-shard", "42");
    expected.put("ce-addedid", "4711");
    expected.put("ce-origin", "dc2");
    expected.put("ce-attempt", "1");
    expected.put("content-type", "application/json");
    assertThat(events.of(Cells.trip()).headers()).isEqualTo(expected);
  }

  @Test
  void attributes_bear_the_names_that_the_specification_allows() {
    assertThat(events.of(Cells.trip()).headers().keySet())
        .filteredOn(name -> name.startsWith("ce-"))
        .allMatch(name -> name.matches("ce-[a-z0-9]{1,20}"));
  }

  @Test
  void a_cell_keeps_source_and_id_over_attempts_promotions_and_rebuilds() {
    var first = events.of(Cells.cell("BASE", Cells.BODY, 4711, 1));
    var later = events.of(Cells.cell("BASE", Cells.BODY, 4713, 3));
    assertThat(later.headers().get("ce-attempt")).isEqualTo("3");
    assertThat(identity(later)).isEqualTo(identity(first));
  }

  @Test
  void two_cells_of_a_row_have_two_ids_and_a_data_centre_is_a_source_of_its_own() {
    var base = events.of(Cells.trip());
    var status = events.of(Cells.cell("STATUS", Cells.BODY, 4711, 1));
    var elsewhere = new CellEvents("trips", "dc2", Content.BODY).of(Cells.trip());
    assertThat(identity(base)).isNotIn(identity(status), identity(elsewhere));
  }

  @Test
  void the_digits_of_an_id_do_not_follow_the_locale() {
    var before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(events.of(Cells.trip()).headers())
          .containsEntry("ce-source", "/trips/dc1/42")
          .containsEntry("ce-id", Cells.ROW + "/BASE/1")
          .containsEntry("ce-time", "2026-01-31T12:00:00.120000Z");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void header_values_are_encoded_as_the_binding_says() {
    // The first is the specification's own example.
    assertThat(CellEvents.encoded("Euro € \uD83D\uDE00"))
        .isEqualTo("Euro%20%E2%82%AC%20%F0%9F%98%80");
    assertThat(CellEvents.encoded("50%\"\r\n\u007f~!/")).isEqualTo("50%25%22%0D%0A%7F~!/");
  }

  @Test
  void a_column_may_bear_any_name() {
    var headers = events.of(Cells.cell("Größe/1 m", "1", 1, 1)).headers();
    assertThat(headers)
        .containsEntry("ce-column", "Gr%C3%B6%C3%9Fe/1%20m")
        .containsEntry("ce-subject", Cells.ROW + "/Gr%C3%B6%C3%9Fe/1%20m/1");
  }

  @Test
  void numbers_keep_their_value() {
    var body = "{\"a\":0.10,\"b\":123456789012345678901234567890.5,\"c\":1e400}";
    assertThat(new String(events.of(Cells.cell("BASE", body, 1, 1)).data(), UTF_8))
        .isEqualTo("{\"a\":0.1,\"b\":123456789012345678901234567890.5,\"c\":1e400}");
  }

  @Test
  void the_envelope_is_what_the_log_holds() throws Exception {
    var cell = Cells.trip();
    var event = new CellEvents("trips", "dc1", Content.ENVELOPE).of(cell);
    try (var reader = EnvelopeReader.lenient()) {
      var read = reader.readLog(Cells.ROW.getBytes(UTF_8), event.data());
      assertThat(read.cell().key()).isEqualTo(cell.record().cell().key());
      assertThat(read.cell().body().toJson()).isEqualTo(Cells.BODY);
      assertThat(read.addedId()).isEqualTo(4711);
    }
    assertThat(event.headers()).isEqualTo(events.of(cell).headers());
  }

  @Test
  void a_source_is_no_other_uri_than_it_looks_like() {
    assertThatThrownBy(() -> new CellEvents("trips", "dc1/42", Content.BODY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("datacenter: ");
  }

  private static String identity(Event event) {
    return event.headers().get("ce-source") + " " + event.headers().get("ce-id");
  }
}
