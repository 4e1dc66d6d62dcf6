package io.cellmesh.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.Body;
import io.cellmesh.cell.CellKey;
import io.cellmesh.operations.conflict.Conflict;
import io.cellmesh.operations.conflict.ConflictDetail;
import io.cellmesh.operations.conflict.ConflictDetail.RefusedValue;
import io.cellmesh.operations.conflict.ConflictPage;
import io.cellmesh.operations.conflict.ConflictPage.Unread;
import io.cellmesh.storage.ConflictListing.Entry;
import io.cellmesh.storage.IngestTopic;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ConflictReportTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00.123456Z");
  private static final String SECRET = "a private fare";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Conflict conflict =
      new Conflict(
          "dc1",
          "c2",
          new Entry(
              new CellKey(new UUID(0, 1), "BASE\u001b", 5),
              new UUID(0, 9),
              IngestTopic.MESH,
              3,
              812,
              "ab".repeat(32),
              "cd".repeat(32),
              "dc1",
              "dc2",
              NOON,
              Optional.empty()));

  @Test
  void a_page_names_each_conflict_its_origins_and_the_cursor_of_the_next() {
    var page = new ConflictPage(List.of(conflict), List.of(), Optional.of("where it ended"));
    report(false).print(page);

    assertThat(text())
        .contains("dc1:AAAAAAAA:3:812", "mesh", "abababababab", "cdcdcdcdcdcd", "not yet")
        .doesNotContain("\u001b");
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("more follow: --after where it ended");
  }

  @Test
  void a_page_for_machines_has_whole_digests_and_the_ledgers_that_were_not_read() throws Exception {
    var unread = new Unread("dc2", "c1", "db3:3306", "connection refused");
    report(true).print(new ConflictPage(List.of(conflict), List.of(unread), Optional.empty()));

    var document = json();
    var first = document.required("conflicts").required(0);
    assertThat(first.required("identity").asText()).isEqualTo("dc1:AAAAAAAA:3:812");
    assertThat(first.required("refused_digest").asText()).isEqualTo("cd".repeat(32));
    assertThat(first.required("refused_origin").asText()).isEqualTo("dc2");
    assertThat(first.required("told_at").isNull()).isTrue();
    assertThat(document.required("unread").required(0).required("cluster").asText())
        .isEqualTo("c1");
    assertThat(document.has("next")).isFalse();
  }

  @Test
  void bodies_are_shown_only_to_who_asks_for_them() throws Exception {
    var value = ("{\"body\":\"" + SECRET + "\"}").getBytes(StandardCharsets.UTF_8);
    var detail = detail(value);

    report(false).print(detail, false);
    report(true).print(detail, false);
    assertThat(text()).contains("trips.mesh-3@812, 25 bytes").doesNotContain(SECRET);

    out.reset();
    report(false).print(detail, true);
    assertThat(text()).contains("\"kept \" : 1", SECRET);

    out.reset();
    report(true).print(detail, true);
    assertThat(json().required("refused_record").required("value").asText()).contains(SECRET);
    assertThat(json().required("kept_body").required("kept ").asInt()).isEqualTo(1);
  }

  @Test
  void a_value_that_is_no_text_is_shown_as_base64_and_one_that_is_gone_as_gone() throws Exception {
    report(true).print(detail(new byte[] {-1, -2}), true);
    assertThat(json().required("refused_record").required("value_base64").asText())
        .isEqualTo("//4=");

    out.reset();
    report(false).print(detail(null), true);
    assertThat(text()).contains("its value was not found");
  }

  private ConflictDetail detail(byte[] value) throws Exception {
    return new ConflictDetail(
        conflict,
        Optional.of(Body.ofJson("{\"kept \":1}")),
        new RefusedValue("trips.mesh-3@812", Optional.ofNullable(value)));
  }

  private ConflictReport report(boolean json) {
    var console = new Console(stream(out), stream(err), Terminal.NONE);
    return new ConflictReport(console, json);
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private String text() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private JsonNode json() throws Exception {
    return new ObjectMapper().readTree(text());
  }
}
