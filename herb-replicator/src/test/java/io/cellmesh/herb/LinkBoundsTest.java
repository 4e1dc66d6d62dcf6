package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LinkBoundsTest {
  private int asked;
  private final SinkPlace sink =
      new SinkPlace() {
        @Override
        public OptionalLong passed(int partition) {
          return OptionalLong.of(0);
        }

        @Override
        public OptionalLong own() {
          return OptionalLong.of(0);
        }

        @Override
        public void ask() {
          asked++;
        }
      };

  private final LinkBounds bounds =
      new LinkBounds(
          new MeshWindow("trips.mesh", 250, sink, Map.of(), System::nanoTime),
          new Pace(OptionalInt.empty(), () -> 0));

  @Test
  void while_a_link_is_held_the_sink_is_asked_for_and_else_not() {
    bounds.keepTo(OptionalDouble.empty());
    assertThat(asked).isZero();
    bounds.keepTo(OptionalDouble.of(100));
    bounds.keepTo(OptionalDouble.of(100));
    assertThat(asked).isEqualTo(2);
    assertThat(bounds.pace().cells()).hasValue(100);
    bounds.keepTo(OptionalDouble.empty());
    assertThat(asked).isEqualTo(2);
    assertThat(bounds.pace().cells()).isEmpty();
  }
}
