package io.cellmesh.triggers;

import io.cellmesh.triggers.OwnedPartition.Stage;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The partitions that the group has given to this process, and what holds them up. */
final class OwnedPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(OwnedPartitions.class);

  private final TriggerOptions options;
  private final Consumer<byte[], byte[]> consumer;
  private final SharedDispatcher dispatcher;
  private final Replays replays;
  private final Map<TopicPartition, OwnedPartition> owned = new LinkedHashMap<>();

  OwnedPartitions(
      TriggerOptions options,
      Consumer<byte[], byte[]> consumer,
      SharedDispatcher dispatcher,
      Replays replays) {
    this.options = options;
    this.consumer = consumer;
    this.dispatcher = dispatcher;
    this.replays = replays;
  }

  /** Takes partitions in, of which nothing is read yet. */
  void add(Collection<TopicPartition> partitions) {
    for (var at : partitions) {
      owned.put(at, new OwnedPartition(at));
      // Nothing is read before it is known where; without a position Kafka would ask for one.
      consumer.seek(at, 0);
    }
    consumer.pause(partitions);
  }

  /** Forgets partitions that went to somebody else. */
  void remove(Collection<TopicPartition> partitions) {
    dispatcher.with(
        (core, now) -> {
          partitions.forEach(core::lost);
          return null;
        });
    for (var at : partitions) {
      replays.forget(at);
      owned.remove(at);
    }
  }

  List<OwnedPartition> all() {
    return List.copyOf(owned.values());
  }

  Optional<OwnedPartition> get(TopicPartition at) {
    return Optional.ofNullable(owned.get(at));
  }

  /** Those of which that comes next. */
  List<OwnedPartition> at(Stage stage) {
    return owned.values().stream().filter(partition -> partition.stage == stage).toList();
  }

  /** Those whose cells are called with. */
  Stream<OwnedPartition> running() {
    return owned.values().stream().filter(partition -> partition.stage == Stage.RUNNING);
  }

  /** What is finished of partitions and not committed yet. */
  Map<TopicPartition, Commit> commits(Collection<TopicPartition> partitions) {
    return dispatcher.with(
        (core, now) -> {
          var commits = new HashMap<TopicPartition, Commit>();
          partitions.forEach(at -> core.commit(at).ifPresent(commit -> commits.put(at, commit)));
          return commits;
        });
  }

  /** Has a partition read. */
  void resume(OwnedPartition partition) {
    if (partition.paused) {
      consumer.resume(List.of(partition.at));
      partition.paused = false;
    }
  }

  /** Has a partition not read for the moment. */
  void pause(OwnedPartition partition) {
    if (!partition.paused) {
      consumer.pause(List.of(partition.at));
      partition.paused = true;
    }
  }

  /** What is committed of a partition has to be looked at again. */
  void again(TopicPartition at) {
    var partition = owned.get(at);
    if (partition != null) {
      replays.forget(at);
      dispatcher.with(
          (core, now) -> {
            core.lost(at);
            return null;
          });
      pause(partition);
      partition.again();
    }
  }

  /** Has a partition wait for a person. */
  void halt(OwnedPartition partition, String why) {
    LOG.error("Trigger {} halts on {}: {}", options.name(), partition.at, why);
    pause(partition);
    replays.forget(partition.at);
    dispatcher.with(
        (core, now) -> {
          core.lost(partition.at);
          return null;
        });
    partition.halt(why);
  }

  /** Says that what comes next is not there any more. */
  void haltAtGap(TopicPartition at, long offset) {
    var partition = owned.get(at);
    if (partition == null) {
      return;
    }
    long begin = consumer.beginningOffsets(List.of(at)).get(at);
    // What was read and is not finished has to be read again, which can't be done either.
    long from =
        partition.stage == Stage.RUNNING
            ? Math.min(offset, dispatcher.with((core, now) -> core.place(at)).offset())
            : offset;
    halt(
        partition,
        offset < begin
            ? "offsets %d to %d are gone, their retention is over: %s"
                .formatted(from, begin - 1, advice("earliest"))
            : "offset %d is not there; was the topic made again? %s"
                .formatted(from, advice("earliest")));
  }

  /** Tells how to go on elsewhere. */
  String advice(String to) {
    return "`cellmesh trigger rewind %s --to %s --what-is-left` goes on"
        .formatted(options.name(), to);
  }
}
