package io.cellmesh.connect.sink.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;

class HeldTest {
  private final List<String> closed = new ArrayList<>();
  private final Held held = new Held();

  @Test
  void all_is_closed_the_last_first_whatever_fails() {
    hold(() -> closed.add("first"));
    hold(HeldTest::fail);
    hold(() -> closed.add("last"));

    assertThatThrownBy(held::close)
        .isInstanceOf(ConnectException.class)
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .singleElement()
                    .hasToString("java.io.IOException: stays open"));
    assertThat(closed).containsExactly("last", "first");
    held.close();
    assertThat(closed).as("once").hasSize(2);
  }

  @Test
  void a_failure_before_stays_the_one_that_counts() {
    var failure = new IllegalStateException("no start");
    hold(HeldTest::fail);
    held.closeAfter(failure);
    assertThat(failure.getSuppressed()).hasSize(1);
  }

  @Test
  void an_error_leaves_nothing_open_either() {
    hold(() -> closed.add("first"));
    hold(
        () -> {
          throw new LinkageError("the plugin's files were replaced");
        });
    var failure = new IllegalStateException("no start");
    held.closeAfter(failure);
    assertThat(closed).containsExactly("first");
    assertThat(failure.getSuppressed()).singleElement().isInstanceOf(LinkageError.class);
  }

  private void hold(AutoCloseable one) {
    assertThat(held.add(one)).isSameAs(one);
  }

  private static void fail() throws IOException {
    throw new IOException("stays open");
  }
}
