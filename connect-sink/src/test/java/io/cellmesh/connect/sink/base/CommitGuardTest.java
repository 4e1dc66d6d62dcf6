package io.cellmesh.connect.sink.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.junit.jupiter.api.Test;

class CommitGuardTest {
  private static final Map<TopicPartition, OffsetAndMetadata> SECURED =
      Map.of(new TopicPartition("trips.cells", 3), new OffsetAndMetadata(7));

  private final CommitGuard guard = new CommitGuard();

  @Test
  void what_is_secured_is_named_and_what_passes_commits_nothing() {
    assertThat(guard.offsets(() -> SECURED)).isEqualTo(SECURED);
    assertThat(guard.offsets(() -> fail(new RetriableException("Kafka is away")))).isEmpty();
    assertThatCode(guard::check).doesNotThrowAnyException();
  }

  @Test
  void what_no_later_commit_can_mend_stops_the_task_at_the_next_delivery() {
    var refused = new ConnectException("no right to write");
    assertThat(guard.offsets(() -> fail(refused))).isEmpty();
    assertThat(guard.offsets(() -> SECURED)).isEqualTo(SECURED);
    assertThatThrownBy(guard::check).isSameAs(refused);
  }

  private static Map<TopicPartition, OffsetAndMetadata> fail(RuntimeException failure) {
    throw failure;
  }
}
