package io.cellmesh.herb;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A consumer of the peer's log that tells each place before it is committed with the peer. Streams
 * flushes the producer before it commits; so the place is told behind the cells. It is full to a
 * pace: it asks for more when the time for what it had is over. And it pauses the partitions whose
 * window is full, beside those that Streams pauses.
 */
final class PlacingConsumer extends KafkaConsumer<byte[], byte[]> {
  /** How soon it looks again for room, where partitions wait for it. */
  private static final Duration LOOK = Duration.ofMillis(20);

  private final OthersLeftOut others;
  private final Consumer<Map<Integer, Long>> places;
  private final Pace pace;
  private final MeshWindow window;
  private final LogBehind behind;
  private final int portion;
  private final Set<TopicPartition> pausedByStreams = new HashSet<>();
  private final Set<TopicPartition> full = new HashSet<>();
  private final LogEnds ends;

  /**
   * @param others are left out of each poll, before its records count as read
   * @param places is told the offset of the next record to read, by partition; nothing is committed
   *     if it throws
   * @param bounds of all threads of the link; a poll brings no more than is worth reading at once
   * @param behind likewise; is told how far this one is
   */
  PlacingConsumer(
      Map<String, Object> settings,
      OthersLeftOut others,
      Consumer<Map<Integer, Long>> places,
      LinkBounds bounds,
      LogBehind behind) {
    super(
        portioned(settings, bounds.window().portion()),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
    this.others = others;
    this.places = places;
    this.pace = bounds.pace();
    this.window = bounds.window();
    this.behind = behind;
    this.portion = records(portioned(settings, window.portion()));
    this.ends = new LogEnds(this, portion);
  }

  private static Map<String, Object> portioned(Map<String, Object> settings, int most) {
    var portioned = new HashMap<>(settings);
    portioned.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Math.min(most, records(settings)));
    return portioned;
  }

  private static int records(Map<String, Object> settings) {
    var said = settings.getOrDefault(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 500);
    return Integer.parseInt(said.toString());
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    try {
      pace.await();
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
    boolean waits = pauseWhatIsFull();
    var polled = super.poll(waits && timeout.compareTo(LOOK) > 0 ? LOOK : timeout);
    long bytes = 0;
    for (var record : polled) {
      bytes += Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
    }
    pace.took(bytes);
    noteBehind();
    var records = others.keep(polled);
    records.partitions().forEach(at -> window.read(at.partition(), records.records(at).size()));
    return records;
  }

  private void noteBehind() {
    var next = new HashMap<TopicPartition, Long>();
    for (var at : assignment()) {
      // Else its place may not be known yet, and would be waited for.
      if (currentLag(at).isPresent()) {
        next.put(at, position(at));
      }
    }
    ends.look(next);
    next.forEach((at, place) -> behind.at(at.partition(), place, ends.of(at, place)));
  }

  /** Pauses the partitions that have no room, and reads those on that have it again. */
  private boolean pauseWhatIsFull() {
    for (var at : assignment()) {
      if (window.hasRoom(at.partition(), portion)) {
        if (full.remove(at) && !pausedByStreams.contains(at)) {
          super.resume(Set.of(at));
        }
      } else if (full.add(at)) {
        super.pause(Set.of(at));
      }
    }
    return !full.isEmpty();
  }

  /** The one way in which Streams subscribes to topics that it knows by name. */
  @Override
  public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
    super.subscribe(topics, new Noting(listener));
  }

  /**
   * Notes what comes and what goes before Streams is told: one poll may lose a partition and bring
   * it again, with records, and what was read of it before is then looked at by nobody.
   */
  private final class Noting implements ConsumerRebalanceListener {
    private final ConsumerRebalanceListener listener;

    Noting(ConsumerRebalanceListener listener) {
      this.listener = listener;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
      window.begin(numbers(assigned));
      listener.onPartitionsAssigned(assigned);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
      leave(revoked);
      listener.onPartitionsRevoked(revoked);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
      leave(lost);
      listener.onPartitionsLost(lost);
    }

    private void leave(Collection<TopicPartition> gone) {
      pausedByStreams.removeAll(gone);
      full.removeAll(gone);
      ends.leave(gone);
      window.leave(numbers(gone));
      behind.leave(numbers(gone));
    }

    private List<Integer> numbers(Collection<TopicPartition> partitions) {
      return partitions.stream().map(TopicPartition::partition).toList();
    }
  }

  @Override
  public void pause(Collection<TopicPartition> partitions) {
    pausedByStreams.addAll(partitions);
    super.pause(partitions);
  }

  @Override
  public void resume(Collection<TopicPartition> partitions) {
    pausedByStreams.removeAll(partitions);
    super.resume(partitions.stream().filter(at -> !full.contains(at)).toList());
  }

  /** The one way in which Streams commits in its at-least-once mode. */
  @Override
  public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
    var next = new HashMap<Integer, Long>();
    offsets.forEach((at, offset) -> next.put(at.partition(), offset.offset()));
    places.accept(next);
    super.commitSync(offsets);
  }
}
