package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.storage.Decision.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConflictCursorTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00.123456Z");
  private static final UUID LOW = UUID.fromString("70000000-0000-4000-8000-000000000000");

  /** Beyond the other one as MySQL compares bytes, and before it as Java compares UUIDs. */
  private static final UUID HIGH = UUID.fromString("f0000000-0000-4000-8000-000000000000");

  @Test
  void what_is_not_told_comes_first_and_then_what_was_told_last() {
    var order =
        List.of(
            cursor(null, IngestTopic.CELLS, LOW, 9, 1),
            cursor(null, IngestTopic.CELLS, LOW, 8, 7),
            cursor(NOON.plusMillis(1), IngestTopic.CELLS, LOW, 1, 1),
            cursor(NOON, IngestTopic.MESH, LOW, 1, 1),
            cursor(NOON, IngestTopic.CELLS, LOW, 1, 3),
            cursor(NOON, IngestTopic.CELLS, HIGH, 1, 2),
            cursor(NOON, IngestTopic.CELLS, LOW, 1, 2));
    var shuffled = new ArrayList<>(order);
    Collections.shuffle(shuffled, new Random(7));
    Collections.sort(shuffled);

    assertThat(shuffled).isEqualTo(order);
  }

  @Test
  void the_text_is_read_back() {
    for (var cursor :
        List.of(
            cursor(null, IngestTopic.MESH, LOW, 15, 812),
            cursor(NOON, IngestTopic.CELLS, HIGH, 0, 0),
            cursor(Instant.parse("2026-01-31T12:00:00Z"), IngestTopic.MESH, LOW, 3, 4))) {
      assertThat(ConflictCursor.parse(cursor.toString())).contains(cursor);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "untold",
        "told/mesh/70000000-0000-4000-8000-000000000000/1/2",
        "2026-99-31T12:00:00Z/mesh/70000000-0000-4000-8000-000000000000/1/2",
        "untold/log/70000000-0000-4000-8000-000000000000/1/2",
        "untold/mesh/7/1/2",
        "untold/mesh/70000000-0000-4000-8000-000000000000/1/-2"
      })
  void what_is_none_is_not_read(String text) {
    assertThat(ConflictCursor.parse(text)).isEmpty();
  }

  private static ConflictCursor cursor(
      Instant told, IngestTopic topic, UUID topicId, int partition, long offset) {
    return new ConflictCursor(
        Optional.ofNullable(told), topic, new Place(topicId, partition, offset));
  }
}
