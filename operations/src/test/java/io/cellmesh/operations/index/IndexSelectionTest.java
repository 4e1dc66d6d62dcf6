package io.cellmesh.operations.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.storage.index.IndexVersion.State;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IndexSelectionTest {
  private static final IndexVersion CITY = version("by_city", 1, State.SERVING);
  private static final IndexVersion CITY_NEXT = version("by_city", 2, State.BUILDING);
  private static final IndexVersion DRIVER = version("by_driver", 1, State.READY);
  private static final IndexVersion RIDER = version("by_rider", 1, State.VERIFYING);
  private static final List<IndexVersion> ALL = List.of(CITY, CITY_NEXT, DRIVER, RIDER);

  @Test
  void withoutANameEveryCompleteVersionIsMeant() {
    assertThat(chosen(ALL)).containsExactly(CITY, DRIVER);
    assertThat(chosen(List.of())).isEmpty();
  }

  @Test
  void namedOnesAreMeantInTheirOrderAndOnce() {
    assertThat(chosen(ALL, "by_driver", "by_city", "by_driver")).containsExactly(DRIVER, CITY);
  }

  @Test
  void aNamedVersionIsMeantInWhateverState() {
    assertThat(IndexSelection.of(List.of("by_city"), Optional.of(2)).from(ALL, "dc1"))
        .containsExactly(CITY_NEXT);
  }

  @Test
  void aMisspeltNameIsNoIndexThatIsRight() {
    refused(
        () -> chosen(ALL, "by_city", "by_drivers"),
        "there is no index by_drivers in dc1; there is"
            + " [by_city, by_city.v2, by_driver, by_rider]");
  }

  @Test
  void whatIsNotCompleteCannotBeRightYet() {
    refused(
        () -> chosen(ALL, "by_rider"),
        "no version of by_rider is complete in dc1: [by_rider is verifying];"
            + " `cellmesh index create` ends a building");
  }

  @Test
  void aVersionIsOfOneIndex() {
    refused(
        () -> IndexSelection.of(List.of("by_city", "by_driver"), Optional.of(1)),
        "--of-version needs one INDEX; 2 are named");
    refused(
        () -> IndexSelection.of(List.of(), Optional.of(1)),
        "--of-version needs one INDEX; 0 are named");
  }

  private static List<IndexVersion> chosen(List<IndexVersion> all, String... names) {
    return IndexSelection.of(List.of(names), Optional.empty()).from(all, "dc1");
  }

  private static void refused(Runnable choosing, String message) {
    assertThatThrownBy(choosing::run).isInstanceOf(OperationException.class).hasMessage(message);
  }

  private static IndexVersion version(String name, int version, State state) {
    var definition = Samples.definition(name, "city").withVersion(version);
    return Samples.version(definition, state, "p1");
  }
}
