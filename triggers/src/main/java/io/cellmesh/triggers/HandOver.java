package io.cellmesh.triggers;

import io.cellmesh.triggers.OwnedPartition.Stage;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what callbacks do of partitions that go to another process, and commits it, so that nothing
 * of it comes again there. Used by the loop's thread alone.
 */
final class HandOver {
  private static final Logger LOG = LoggerFactory.getLogger(HandOver.class);
  private static final Duration COMMIT = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(50);

  private final TriggerOptions options;
  private final Consumer<byte[], byte[]> consumer;
  private final OwnedPartitions owned;
  private final SharedDispatcher dispatcher;
  private final Replays replays;
  private final Notebook notebook;

  HandOver(
      TriggerOptions options,
      Consumer<byte[], byte[]> consumer,
      OwnedPartitions owned,
      SharedDispatcher dispatcher,
      Replays replays,
      Notebook notebook) {
    this.options = options;
    this.consumer = consumer;
    this.owned = owned;
    this.dispatcher = dispatcher;
    this.replays = replays;
    this.notebook = notebook;
  }

  /** Ends and commits what the group takes away. Called while it does so. */
  void some(Collection<TopicPartition> partitions) {
    end(partitions);
    try {
      commit(partitions);
    } catch (KafkaException e) {
      warn(e);
    }
  }

  /**
   * Ends and commits all, before this process leaves the group. While the group meets anew, as it
   * does when processes are replaced one after the other, nobody can commit, so this one meets with
   * the others first; what is taken away then, the group's listener hands over.
   */
  void all() {
    end(assigned());
    long end = System.nanoTime() + COMMIT.toNanos();
    while (true) {
      try {
        commit(assigned());
        return;
      } catch (RebalanceInProgressException e) {
        if (System.nanoTime() - end >= 0) {
          warn(e);
          return;
        }
        meet();
      } catch (KafkaException e) {
        warn(e);
        return;
      }
    }
  }

  /** Lets end what runs, and nothing begin any more. */
  private void end(Collection<TopicPartition> partitions) {
    var running = running(partitions);
    dispatcher.with(
        (core, now) -> {
          running.forEach(core::revoke);
          return null;
        });
    replays.end(running, options.handOver());
    if (!dispatcher.awaitEnd(
        core -> running.stream().allMatch(at -> core.running(at) == 0), options.handOver())) {
      LOG.warn(
          "Trigger {}: callbacks of {} have not ended within {} s; another process calls again for their cells",
          options.name(),
          running,
          options.handOver().toSeconds());
    }
    // Whoever comes next reads none that are of no use any more.
    notebook.send(dispatcher.with((core, now) -> core.cleared()));
  }

  private void commit(Collection<TopicPartition> partitions) {
    var commits = owned.commits(running(partitions));
    if (commits.isEmpty()) {
      return;
    }
    var offsets = Transactions.offsets(commits);
    try {
      consumer.commitSync(offsets, COMMIT);
    } catch (WakeupException e) {
      // Somebody closes the trigger meanwhile: all the more it has to be committed.
      consumer.commitSync(offsets, COMMIT);
    }
  }

  private void meet() {
    try {
      consumer.pause(consumer.assignment());
      consumer.poll(POLL);
    } catch (KafkaException e) {
      // If it matters the next commit says so.
      LOG.debug("The group was not met", e);
    }
  }

  private void warn(KafkaException e) {
    LOG.warn(
        "Trigger {} could not commit what it hands on, so that comes again: {}",
        options.name(),
        e.getMessage());
  }

  private List<TopicPartition> assigned() {
    return owned.all().stream().map(partition -> partition.at).toList();
  }

  /** Those whose cells callbacks had. */
  private List<TopicPartition> running(Collection<TopicPartition> partitions) {
    return partitions.stream()
        .filter(
            at -> owned.get(at).filter(partition -> partition.stage == Stage.RUNNING).isPresent())
        .toList();
  }
}
