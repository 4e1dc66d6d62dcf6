package io.cellmesh.operations.index;

import static io.cellmesh.operations.index.Samples.definition;
import static io.cellmesh.operations.index.Samples.version;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.storage.index.IndexVersion.State;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class IndexRemovalTest {
  private static final IndexDefinition BY_DRIVER = definition("by_driver", "driver");
  private static final IndexDefinition BY_CITY = definition("by_city", "city");

  @Test
  void theTopicOfOneThatWasDroppedBeforeGoesWithTheLastOfItsPass() {
    var catalogue =
        List.of(
            version(BY_CITY, State.DROPPING, "p1"),
            version(BY_DRIVER.withVersion(2), State.SERVING, "p2"));

    assertThat(IndexRemoval.left("p1", catalogue, List.of(BY_CITY, BY_DRIVER)))
        .containsExactlyInAnyOrder("by_city", "by_driver");
  }

  @Test
  void theTopicOfOneThatWasDroppedBeforeIsFoundAgainThoughThePassIsNoLongerKnown() {
    var catalogue =
        List.of(
            version(BY_CITY, State.DROPPING, "p1"),
            version(BY_DRIVER.withVersion(2), State.SERVING, "p2"));

    var forgotten = IndexRemoval.forgotten("p1", catalogue, List.of(BY_CITY, BY_DRIVER));

    assertThat(forgotten).containsExactly(new IndexVersion(BY_DRIVER, State.DROPPING, "p1", 0));
    var interrupted = Stream.concat(catalogue.stream(), forgotten.stream()).toList();
    assertThat(IndexRemoval.left("p1", interrupted, List.of()))
        .containsExactlyInAnyOrder("by_city", "by_driver");
  }

  @Test
  void whatAnotherPassKeepsIsNotForgotten() {
    var catalogue =
        List.of(version(BY_CITY, State.DROPPING, "p1"), version(BY_DRIVER, State.SERVING, "p2"));

    assertThat(IndexRemoval.forgotten("p1", catalogue, List.of(BY_CITY, BY_DRIVER))).isEmpty();
  }

  @Test
  void theTopicOfOneThatAnotherPassKeepsStays() {
    var catalogue =
        List.of(version(BY_CITY, State.DROPPING, "p1"), version(BY_DRIVER, State.SERVING, "p2"));

    assertThat(IndexRemoval.left("p1", catalogue, List.of(BY_CITY, BY_DRIVER)))
        .containsExactly("by_city");
  }

  @Test
  void theTopicGoesThoughThePassIsNoLongerKnown() {
    var catalogue = List.of(version(BY_CITY, State.DROPPING, "p1"));

    assertThat(IndexRemoval.left("p1", catalogue, List.of())).containsExactly("by_city");
  }
}
