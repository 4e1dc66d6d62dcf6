package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenedTest {
  private final List<String> closed = new ArrayList<>();

  @Test
  void what_fails_to_begin_closes_all_the_last_first_whatever_one_of_them_throws() {
    try (var opened = new Opened()) {
      opened.add(() -> closed.add("consumer"));
      opened.add(
          () -> {
            closed.add("writer");
            throw new IllegalStateException("can't be closed");
          });
      opened.add(() -> closed.add("places"));
    }
    assertThat(closed).containsExactly("places", "writer", "consumer");
  }

  @Test
  void what_was_handed_over_stays_open() {
    try (var opened = new Opened()) {
      opened.add(() -> closed.add("consumer"));
      opened.handedOver();
    }
    assertThat(closed).isEmpty();
  }
}
