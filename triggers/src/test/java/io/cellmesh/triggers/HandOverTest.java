package io.cellmesh.triggers;

import static io.cellmesh.triggers.OneProcess.AT;
import static io.cellmesh.triggers.OneProcess.replays;
import static io.cellmesh.triggers.OneProcess.row;
import static io.cellmesh.triggers.OneProcess.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.topics.trigger.Order;
import io.cellmesh.triggers.OwnedPartition.Stage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With one finished cell of one partition, by Kafka's own stand-in for its consumer. */
class HandOverTest {
  private static final TriggerOptions OPTIONS = OptionsForTests.of(Order.ROW);

  private final Meeting consumer = new Meeting();
  private final SharedDispatcher dispatcher =
      new SharedDispatcher(new Dispatcher(settings(Order.ROW)), 1, Duration.ZERO);
  private final Notebook notebook =
      new Notebook(OPTIONS.kafka(), OPTIONS.name(), OPTIONS.topics().triggerState());
  private final Replays replays =
      replays(OPTIONS, dispatcher, new TriggerFigures(), () -> consumer);
  private final OwnedPartitions owned = new OwnedPartitions(OPTIONS, consumer, dispatcher, replays);
  private final HandOver handOver =
      new HandOver(OPTIONS, consumer, owned, dispatcher, replays, notebook);

  @BeforeEach
  void finish() throws Exception {
    consumer.assign(List.of(AT));
    owned.add(List.of(AT));
    owned.get(AT).orElseThrow().stage = Stage.RUNNING;
    dispatcher.with(
        (core, now) -> {
          core.assign(AT, new Assignment(100, "", Set.of(), Map.of()));
          core.committed(AT, new Commit(100, ""));
          core.read(AT, new Delivery(100, 3, 1, row(1), "BASE", false, 10, null), now);
          return null;
        });
    dispatcher.end(dispatcher.take(), null);
  }

  @AfterEach
  void close() {
    dispatcher.close();
    notebook.close();
  }

  @Test
  void a_process_that_ends_commits_what_is_finished() {
    handOver.all();
    assertThat(consumer.offsets).containsEntry(AT, 101L);
  }

  @Test
  void while_the_group_meets_anew_it_meets_with_the_others_and_commits_then() {
    consumer.meetings = 3;
    handOver.all();
    assertThat(consumer.offsets).containsEntry(AT, 101L);
    assertThat(consumer.paused()).as("it reads nothing meanwhile").containsExactly(AT);
  }

  /** The commit there is another process's then. */
  @Test
  void what_the_group_takes_away_while_they_meet_is_not_committed_any_more() {
    consumer.meetings = 1;
    consumer.met = () -> owned.remove(List.of(AT));
    handOver.all();
    assertThat(consumer.offsets).isEmpty();
  }

  @Test
  void what_the_group_takes_away_is_committed_at_once_or_comes_again() {
    consumer.meetings = 1;
    handOver.some(List.of(AT));
    assertThat(consumer.offsets).as("it meets no group within one that meets").isEmpty();
    consumer.meetings = 0;
    handOver.some(List.of(AT));
    assertThat(consumer.offsets).containsEntry(AT, 101L);
  }

  /** A consumer whose group meets anew until it has been polled some times. */
  private static final class Meeting extends MockConsumer<byte[], byte[]> {
    private final Map<TopicPartition, Long> offsets = new HashMap<>();
    private int meetings;
    private Runnable met = () -> {};

    Meeting() {
      super("none");
    }

    @Override
    public synchronized void commitSync(
        Map<TopicPartition, OffsetAndMetadata> commits, Duration timeout) {
      if (meetings > 0) {
        throw new RebalanceInProgressException("the group meets");
      }
      commits.forEach((at, commit) -> offsets.put(at, commit.offset()));
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      meetings--;
      met.run();
      return ConsumerRecords.empty();
    }
  }
}
