package io.cellmesh.triggers;

import static io.cellmesh.triggers.OneProcess.AT;
import static io.cellmesh.triggers.OneProcess.FAILURE;
import static io.cellmesh.triggers.OneProcess.row;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BatchFailedExceptionTest {
  @Test
  void a_batch_that_failed_names_a_cell_that_did() {
    assertThatThrownBy(() -> new BatchFailedException(Map.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_cell_without_a_reason_or_a_reason_without_a_cell_names_none() {
    var failures = new LinkedHashMap<TriggeredCell, Exception>();
    failures.put(cell(1), FAILURE);
    failures.put(cell(2), null);
    assertThatThrownBy(() -> new BatchFailedException(failures))
        .hasMessage("a cell that failed is null, or has no reason");

    failures.values().removeIf(why -> why == null);
    failures.put(null, FAILURE);
    assertThatThrownBy(() -> new BatchFailedException(failures))
        .hasMessage("a cell that failed is null, or has no reason");
  }

  private static TriggeredCell cell(int id) {
    return new TriggeredCell(AT, new Delivery(id, 3, id, row(id), "BASE", false, 10, null), null);
  }
}
