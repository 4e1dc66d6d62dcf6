package io.cellmesh.triggers;

import static io.cellmesh.triggers.OneProcess.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.topics.trigger.MemberHealth;
import io.cellmesh.topics.trigger.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** What members say, by Kafka's own stand-in for its producer. */
class MembersTest {
  private static final TriggerOptions OPTIONS = OptionsForTests.of(Order.ROW);

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());

  private final Members members =
      new Members(
          OPTIONS,
          new Halting(5, Order.ROW, 64),
          new Notebook(() -> producer, OPTIONS.name(), OPTIONS.topics().triggerState()));

  @Test
  void what_a_process_said_that_was_killed_long_ago_is_removed() {
    members.meet(
        new Dispatcher(settings(Order.ROW)),
        Instant.EPOCH,
        "alive",
        Map.of("killed", said(Duration.ofHours(2)), "silent", said(Duration.ofMinutes(1))));

    assertThat(producer.history())
        .extracting(record -> new String(record.key()))
        .containsExactly("billing|health|killed");
    assertThat(producer.history()).allMatch(record -> record.value() == null);
  }

  private static MemberHealth said(Duration ago) {
    var seen = new MemberHealth.Seen(1, 1, 1);
    return new MemberHealth(Instant.now().minus(ago), seen, seen, false, Optional.empty());
  }
}
