package io.cellmesh.worker.site;

import static io.cellmesh.worker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

/** A look at a topic, by a client that does as a test wants. */
class TopicLookTest {
  private static final Uuid ID = new Uuid(7, 8);

  private final AtomicInteger looks = new AtomicInteger();
  private Supplier<KafkaFuture<TopicDescription>> kafka = TopicLookTest::described;
  private Runnable prepare = () -> {};
  private final TopicLook look =
      new TopicLook(this::admin, "trips.cells", Runnable::run, () -> prepare.run());

  @Test
  void the_topic_is_known_by_the_beginning_of_its_id() {
    assertThat(look.id()).isEmpty();
    assertThat(look.reachable()).isFalse();
    look.run();
    assertThat(look.id()).contains(ID.toString().substring(0, 8));
    assertThat(look.reachable()).isTrue();
  }

  @Test
  void what_a_look_throws_at_once_ends_no_later_one() {
    kafka =
        () -> {
          throw new KafkaException("the client is being closed");
        };
    var timer = Executors.newSingleThreadScheduledExecutor();
    try {
      timer.scheduleWithFixedDelay(look, 0, 1, TimeUnit.MILLISECONDS);
      await().until(() -> looks.get() > 2);
      kafka = TopicLookTest::described;
      await().until(look::reachable);
    } finally {
      timer.shutdownNow();
    }
  }

  @Test
  void a_look_that_fails_says_that_nobody_answers_and_forgets_no_topic() {
    for (var failure :
        List.<Supplier<KafkaFuture<TopicDescription>>>of(
            () -> {
              throw new KafkaException("at once");
            },
            TopicLookTest::failed)) {
      kafka = TopicLookTest::described;
      look.run();
      kafka = failure;
      look.run();
      assertThat(look.reachable()).isFalse();
      assertThat(look.id()).isPresent();
    }
  }

  @Test
  void a_topic_is_known_once_it_is_prepared_for_and_one_that_is_not_there_is_not_prepared_for() {
    kafka = TopicLookTest::failed;
    var prepared = new AtomicInteger();
    prepare =
        () -> {
          prepared.incrementAndGet();
          throw new KafkaException("not yet");
        };
    look.run();
    assertThat(prepared).hasValue(0);

    kafka = TopicLookTest::described;
    look.run();
    assertThat(prepared).hasValue(1);
    assertThat(look.id()).isEmpty();
    assertThat(look.reachable()).isFalse();

    prepare = () -> {};
    look.run();
    assertThat(look.id()).isPresent();
    assertThat(look.reachable()).isTrue();
  }

  private static KafkaFuture<TopicDescription> described() {
    return KafkaFuture.completedFuture(
        new TopicDescription("trips.cells", false, List.of(), null, ID));
  }

  private static KafkaFuture<TopicDescription> failed() {
    var future = new KafkaFutureImpl<TopicDescription>();
    future.completeExceptionally(new KafkaException("later"));
    return future;
  }

  private Admin admin() {
    return ScriptedAdmin.answering(
        "describeTopics",
        () -> {
          looks.incrementAndGet();
          return new Described(kafka.get());
        });
  }

  private static final class Described extends DescribeTopicsResult {
    Described(KafkaFuture<TopicDescription> topic) {
      super(null, Map.of("trips.cells", topic));
    }
  }
}
