package io.cellmesh.operations.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.ReadPlace;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.mesh.BareDataCenter;
import io.cellmesh.storage.Pools;
import java.util.List;
import java.util.OptionalLong;
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

  @Test
  void a_link_over_http_is_behind_by_what_it_has_not_read_of_what_is_there() {
    assertThat(Pipeline.left(place(OptionalLong.of(70)))).isEqualTo(30);
    assertThat(Pipeline.left(place(OptionalLong.empty()))).isEqualTo(90);
    assertThat(Pipeline.left(place(OptionalLong.of(101)))).isZero();
  }

  private static ReadPlace place(OptionalLong next) {
    return new ReadPlace("trips.log", 0, next, 10, 100);
  }

  private static Set<Thread> clients() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("kafka-admin-client-thread"))
        .collect(Collectors.toSet());
  }
}
