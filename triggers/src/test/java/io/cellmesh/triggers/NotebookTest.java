package io.cellmesh.triggers;

import static io.cellmesh.triggers.OneProcess.AT;
import static io.cellmesh.triggers.OneProcess.row;
import static io.cellmesh.triggers.OneProcess.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.TriggerName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class NotebookTest {
  @Test
  void a_batch_does_not_begin_once_its_partition_went_to_another_process() throws Exception {
    var partition =
        PartitionProgress.of(
            AT, new Assignment(100, "", Set.of(), Map.of()), settings(Order.ROW), new Held());
    // Before the first commit everything would be noted.
    partition.committed(new Commit(100, ""));
    var cell = new Delivery(100, 3, 1, row(1), "BASE", false, 10, null);
    partition.read(cell, true);
    var batch = Batch.of(partition, List.of(cell), Instant.EPOCH);
    try (var notebook =
        new Notebook(
            KafkaAccess.plain("127.0.0.1:1"), new TriggerName("billing"), "trips.trigger-state")) {
      assertThat(batch.notes()).isEmpty();
      notebook.write(batch);

      partition.close();

      assertThatThrownBy(() -> notebook.write(batch))
          .isInstanceOf(CancellationException.class)
          .hasMessageContaining("went to another process");
    }
  }
}
