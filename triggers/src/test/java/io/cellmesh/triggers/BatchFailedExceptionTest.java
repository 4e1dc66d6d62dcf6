package io.cellmesh.triggers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BatchFailedExceptionTest {
  @Test
  void a_batch_that_failed_names_a_cell_that_did() {
    assertThatThrownBy(() -> new BatchFailedException(Map.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
