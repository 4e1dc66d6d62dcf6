package io.cellmesh.operations.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Credentials;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.mesh.BareDataCenter;
import io.cellmesh.storage.Pools;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class PipelineTest {
  /** A worker looks again and again. */
  @Test
  void where_a_client_of_one_data_centre_can_not_be_made_none_of_another_is_left() {
    var nameless = BareDataCenter.nowhere("dc2").topology();
    var deployment =
        new Deployment(
            "this test",
            List.of(
                BareDataCenter.nowhere("dc1"),
                BareDataCenter.of("dc2", nameless, "brokers.invalid:9092")));
    var before = clients();

    try (var pools = new Pools(new Credentials("root", ""))) {
      assertThatThrownBy(() -> new Pipeline(deployment, pools)).isInstanceOf(KafkaException.class);
    }

    assertThat(clients()).isSubsetOf(before);
  }

  private static Set<Thread> clients() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("kafka-admin-client-thread"))
        .collect(Collectors.toSet());
  }
}
