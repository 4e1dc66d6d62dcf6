package io.cellmesh.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.deployment.StoredPasses.Entry;
import io.cellmesh.deployment.StoredPasses.Place;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class StoredPassesTest {
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

  private final List<Entry> topic = new ArrayList<>();
  private Uuid id = Uuid.randomUuid();

  @Test
  void the_last_word_of_each_pass_counts_when_a_topic_is_read_first() {
    put("p1");
    remove("p1");
    put("p2");
    remove("p2");
    put("p2");
    var read = read(StoredPasses.NONE);
    assertThat(read.passes()).containsOnlyKeys("p2");
    assertThat(read.removed()).containsExactly("p1");
  }

  @Test
  void a_removal_since_the_last_reading_is_told_once_even_if_the_pass_came_again() {
    put("p1");
    put("p2");
    var before = read(StoredPasses.NONE);
    assertThat(before.removed()).isEmpty();
    remove("p1");
    put("p1");
    var after = read(before);
    assertThat(after.passes()).containsOnlyKeys("p1", "p2");
    assertThat(after.removed()).containsExactly("p1");
    assertThat(after.heard().removed()).isEmpty();
    put("p3");
    assertThat(read(after).removed()).isEmpty();
  }

  @Test
  void an_empty_or_recreated_topic_takes_nothing_away() {
    put("p1");
    put("p2");
    var before = read(StoredPasses.NONE);
    topic.clear();
    id = Uuid.randomUuid();
    assertThat(read(before).removed()).isEmpty();
    assertThat(read(before).passes()).isEmpty();
    put("p2");
    remove("p3");
    var again = read(before);
    assertThat(again.removed()).containsExactly("p3");
    assertThat(again.passes()).containsOnlyKeys("p2");
  }

  @Test
  void what_cant_be_read_stands_alone_with_its_offset_until_it_is_said_anew() {
    put("p1");
    topic.add(new Entry(1, "p2", new byte[] {'x'}));
    topic.add(new Entry(2, "P 3", new Pass("p3", List.of(BY_DRIVER), false).toJson()));
    topic.add(new Entry(3, "../p4", null));
    var read = read(StoredPasses.NONE);
    assertThat(read.passes()).containsOnlyKeys("p1");
    assertThat(read.removed()).isEmpty();
    assertThat(read.unreadable()).containsOnlyKeys("p2", "P 3");
    assertThat(read.unreadable().get("p2")).isEqualTo("offset 1: the value is no JSON: \"x\"");
    put("p2");
    assertThat(read(read).unreadable()).containsOnlyKeys("P 3");
  }

  private void put(String name) {
    topic.add(new Entry(topic.size(), name, new Pass(name, List.of(BY_DRIVER), false).toJson()));
  }

  private void remove(String name) {
    topic.add(new Entry(topic.size(), name, null));
  }

  private StoredPasses read(StoredPasses before) {
    return before.then(new Place(id, topic.size()), topic, "trips");
  }
}
