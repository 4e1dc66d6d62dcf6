package io.cellmesh.operations.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.operations.OperationException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitsTest {
  @Test
  void whatIsNamedIsOtherAndTheRestIsAsUsual() {
    var all =
        Map.of(
            "connections", 1.0,
            "tables", 2.0,
            "files", 3.0,
            "threads", 4.0,
            "heap_mib", 5.0,
            "worker_cores", 6.5,
            "mysql_cores", 7.5,
            "commit_ms", 0.5);

    assertThat(Limits.USUAL.with(all)).isEqualTo(new Limits(1, 2, 3, 4, 5, 6.5, 7.5, 0.5));
    assertThat(Limits.USUAL.with(Map.of("files", 3.0)))
        .isEqualTo(new Limits(151, 4000, 3, 4096, 2048, 4, 4, 2));
    assertThat(Limits.USUAL.with(Map.of())).isEqualTo(Limits.USUAL);
  }

  @Test
  void nothingIsLimitedToLessThanSomethingAndNothingThatNobodyKnows() {
    assertThatThrownBy(() -> Limits.USUAL.with(Map.of("files", 0.0)))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("limit files: more than 0");
    assertThatThrownBy(() -> Limits.USUAL.with(Map.of("files", Double.NaN)))
        .hasMessageContaining("limit files: more than 0");
    assertThatThrownBy(() -> Limits.USUAL.with(Map.of("disks", 1.0)))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("limit disks: one of connections, tables");
  }
}
