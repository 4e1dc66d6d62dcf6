package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeshPlaceTest {
  private static final RememberedLog LOG = new RememberedLog("kafka-of-dc2", "topic-id");

  @Test
  void a_place_is_read_as_it_was_written() {
    var place = new MeshPlace(LOG, 812);

    assertThat(place.toJson())
        .isEqualTo("{\"cluster\":\"kafka-of-dc2\",\"log\":\"topic-id\",\"next\":812}");
    assertThat(MeshPlace.parse(place.toJson())).contains(place);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"cluster\":\"c\",\"log\":\"l\"}",
        "{\"cluster\":\"c\",\"log\":\"l\",\"next\":-1}",
        "{\"cluster\":\"c\",\"log\":\"l\",\"next\":\"1\"}",
        "{\"cluster\":\"c\",\"next\":1}",
        "{\"next\":",
        ""
      })
  void what_is_no_place_is_none(String text) {
    assertThat(MeshPlace.parse(text)).isEmpty();
  }

  @Test
  void a_link_has_the_places_of_its_own_peer_in_that_log_alone() {
    var topic = new HashMap<String, String>();
    topic.put("dc2", LOG.toJson());
    topic.put(MeshPlace.key("dc2", 0), new MeshPlace(LOG, 7).toJson());
    topic.put(MeshPlace.key("dc2", 11), new MeshPlace(LOG, 9).toJson());
    topic.put(
        MeshPlace.key("dc2", 1),
        new MeshPlace(new RememberedLog("kafka-of-dc2", "made again"), 5).toJson());
    topic.put(MeshPlace.key("dc20", 2), new MeshPlace(LOG, 5).toJson());
    topic.put(MeshPlace.acceptKey("dc2"), new MeshPlace(LOG, 5).toJson());
    topic.put("dc2:x", new MeshPlace(LOG, 5).toJson());

    assertThat(MeshPlace.in(topic, "dc2", LOG)).isEqualTo(Map.of(0, 7L, 11, 9L));
  }
}
