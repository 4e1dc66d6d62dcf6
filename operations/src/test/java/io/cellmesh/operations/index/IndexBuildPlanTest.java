package io.cellmesh.operations.index;

import static io.cellmesh.operations.index.Samples.definition;
import static io.cellmesh.operations.index.Samples.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.deployment.Pass;
import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.storage.index.IndexVersion.State;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IndexBuildPlanTest {
  private static final IndexDefinition BY_DRIVER = definition("by_driver", "driver");
  private static final IndexDefinition BY_CITY = definition("by_city", "city");

  @Test
  void whatIsNewIsBuiltInAPassOfItsOwn() {
    var order =
        IndexBuildPlan.of(
            "trips", List.of(BY_CITY), List.of(version(BY_DRIVER, State.SERVING, "p7")), Set.of());
    assertThat(order.pass()).isEqualTo("p8");
    assertThat(order.isBuilding()).isTrue();
    assertThat(order.definitions()).containsExactly(BY_CITY);
  }

  @Test
  void theNameOfAPassThatWasDroppedIsNotGivenAgain() {
    var order = IndexBuildPlan.of("trips", List.of(BY_CITY), List.of(), Set.of("p1", "p12", "x"));
    assertThat(order.pass()).isEqualTo("p13");
  }

  @Test
  void whatIsUnderWayGoesOnInItsPass() {
    var known = version(BY_CITY, State.VERIFYING, "p3");
    var order = IndexBuildPlan.of("trips", List.of(BY_CITY), List.of(known), Set.of());
    assertThat(order.pass()).isEqualTo("p3");
    assertThat(order.versions()).containsExactly(known);
    assertThat(order.isBuilding()).isFalse();
  }

  @Test
  void otherFieldsAreAnotherVersion() {
    var catalogue =
        List.of(
            version(BY_DRIVER, State.SERVING, "p1"),
            version(BY_DRIVER.withVersion(2), State.READY, "p2"));
    refused(
        List.of(definition("by_driver", "city")),
        catalogue,
        "version 1 of by_driver has other fields; give the file `version: 3`");
    var third = definition("by_driver", "city").withVersion(3);
    assertThat(IndexBuildPlan.of("trips", List.of(third), catalogue, Set.of()).pass())
        .isEqualTo("p3");
  }

  @Test
  void newOnesAndThoseUnderWayAreNotBuiltTogether() {
    refused(
        List.of(BY_DRIVER, BY_CITY),
        List.of(version(BY_DRIVER, State.BUILDING, "p1")),
        "some of these are there already (by_driver)");
  }

  @Test
  void whatIsBeingDroppedIsDroppedFirst() {
    refused(
        List.of(BY_CITY),
        List.of(version(BY_CITY, State.DROPPING, "p1")),
        "by_city is being dropped; finish that with `cellmesh index drop by_city --of-version 1`");
  }

  @Test
  void aVersionThatIsStillWrittenForOthersOfItsPassIsNotBuiltAgain() {
    var again = definition("by_driver", "partner");
    var stored =
        List.of(
            new Pass("p1", List.of(BY_CITY, BY_DRIVER), false),
            new Pass("p2", List.of(BY_DRIVER.withVersion(2)), false));
    var catalogue = List.of(version(BY_CITY, State.SERVING, "p1"));
    var plan = IndexBuildPlan.of("trips", List.of(again), catalogue, Set.of("p1", "p2"));

    assertThatThrownBy(() -> plan.refuseLeft(stored))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("version 1 of by_driver was dropped")
        .hasMessageContaining("pass p1 keeps other indexes")
        .hasMessageContaining("give the file `version: 3`");
  }

  @Test
  void whatIsUnderWayAndAnotherVersionAreBuilt() {
    var known = List.of(version(BY_CITY, State.BUILDING, "p1"));
    var stored = List.of(new Pass("p1", List.of(BY_CITY, BY_DRIVER), false));
    var goesOn = IndexBuildPlan.of("trips", List.of(BY_CITY), known, Set.of("p1"));
    var second = List.of(BY_DRIVER.withVersion(2));
    var isNew = IndexBuildPlan.of("trips", second, List.of(), Set.of("p1"));

    assertThatCode(() -> goesOn.refuseLeft(stored)).doesNotThrowAnyException();
    assertThatCode(() -> isNew.refuseLeft(stored)).doesNotThrowAnyException();
  }

  @Test
  void theNewestServesWhereNoneDid() {
    var first = version(BY_DRIVER, State.VERIFYING, "p1");
    var second = version(BY_DRIVER.withVersion(2), State.VERIFYING, "p1");

    assertThat(IndexBuildPlan.finished(List.of(first, second), List.of(first, second)))
        .containsExactly(first.in(State.READY), second.in(State.SERVING));
  }

  @Test
  void theOneThatServesGoesOnServing() {
    var first = version(BY_DRIVER, State.SERVING, "p1");
    var second = version(BY_DRIVER.withVersion(2), State.VERIFYING, "p2");

    assertThat(IndexBuildPlan.finished(List.of(second), List.of(first, second)))
        .containsExactly(second.in(State.READY));
    assertThat(IndexBuildPlan.finished(List.of(first), List.of(first, second)))
        .containsExactly(first);
  }

  @Test
  void anotherInstancesIndexIsRefused() {
    assertThatThrownBy(() -> IndexBuildPlan.of("rides", List.of(BY_CITY), List.of(), Set.of()))
        .isInstanceOf(OperationException.class)
        .hasMessage("by_city: its datastore is \"trips\", this instance is rides");
  }

  private static void refused(
      List<IndexDefinition> wanted, List<IndexVersion> catalogue, String message) {
    assertThatThrownBy(() -> IndexBuildPlan.of("trips", wanted, catalogue, Set.of()))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining(message);
  }
}
