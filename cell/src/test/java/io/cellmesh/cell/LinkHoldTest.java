package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinkHoldTest {
  private static final Instant SINCE = Instant.parse("2026-01-31T12:00:00Z");

  @ParameterizedTest
  @EnumSource(LinkHold.Kind.class)
  void a_hold_is_read_as_it_was_written(LinkHold.Kind kind) {
    var hold = new LinkHold(kind, SINCE, "anna@\"ops\"");
    assertThat(LinkHold.parse(hold.toJson())).contains(hold);
  }

  @Test
  void it_says_what_since_when_and_by_whom() {
    assertThat(new LinkHold(LinkHold.Kind.PAUSED, SINCE, "anna@ops1").text())
        .isEqualTo("paused since 2026-01-31T12:00:00Z by anna@ops1");
    assertThat(new LinkHold(LinkHold.Kind.LOST, SINCE, "anna@ops1").text())
        .isEqualTo("given up as lost since 2026-01-31T12:00:00Z by anna@ops1");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "{",
        "{\"hold\":\"paused\"}",
        "{\"hold\":\"other\",\"since\":\"2026-01-31T12:00:00Z\",\"by\":\"a\"}",
        "{\"hold\":\"paused\",\"since\":\"yesterday\",\"by\":\"a\"}"
      })
  void what_is_no_hold_is_none(String text) {
    assertThat(LinkHold.parse(text)).isEmpty();
  }

  @Test
  void each_link_has_its_own() {
    var hold = new LinkHold(LinkHold.Kind.PAUSED, SINCE, "anna@ops1");
    var topic =
        Map.of(LinkHold.key("dc2"), hold.toJson(), MeshPlace.acceptKey("dc3"), hold.toJson());
    assertThat(LinkHold.in(topic, "dc2")).contains(hold);
    assertThat(LinkHold.in(topic, "dc3")).isEmpty();
  }
}
