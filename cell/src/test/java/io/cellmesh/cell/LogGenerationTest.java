package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LogGenerationTest {
  @Test
  void a_log_of_which_nothing_is_said_is_the_first() {
    assertThat(LogGeneration.in(Map.of("dc2:generation", "3"), "dc2")).isEqualTo(3);
    assertThat(LogGeneration.in(Map.of("dc2:generation", "3"), "dc1")).isEqualTo(1);
    for (var damaged : new String[] {"", "x", "0", "-4", "99999999999"}) {
      assertThat(LogGeneration.parse(damaged)).as(damaged).isEqualTo(1);
    }
  }

  @Test
  void it_is_taken_for_no_place_and_no_hold() {
    var key = LogGeneration.key("dc2");
    assertThat(MeshPlace.in(Map.of(key, "3"), "dc2", new RememberedLog("a", "b"))).isEmpty();
    assertThat(LinkHold.isKey(key)).isFalse();
  }
}
