package io.cellmesh.operations.index;

import static io.cellmesh.operations.index.Samples.definition;
import static io.cellmesh.operations.index.Samples.version;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.operations.OperationException;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.storage.index.IndexVersion.State;
import org.junit.jupiter.api.Test;

class IndexFreshnessTest {
  private static final IndexVersion FIRST =
      version(definition("by_driver", "driver"), State.READY, "p1");
  private static final IndexVersion SECOND =
      version(definition("by_driver", "driver").withVersion(2), State.SERVING, "p2");

  @Test
  void aVersionWhosePassHasHaltedDoesNotServe() {
    assertThatThrownBy(() -> IndexFreshness.refuse(FIRST, 5, SECOND, 0))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("version 1 of by_driver lacks what 5 records of the log tell")
        .hasMessageContaining("which version 2 has: its pass p1 is halted");
  }

  @Test
  void oneThatIsNoFurtherBehindThanTheOneThatServesMayServe() {
    assertThatCode(() -> IndexFreshness.refuse(FIRST, 0, SECOND, 0)).doesNotThrowAnyException();
    assertThatCode(() -> IndexFreshness.refuse(FIRST, 5, SECOND, 5)).doesNotThrowAnyException();
  }
}
