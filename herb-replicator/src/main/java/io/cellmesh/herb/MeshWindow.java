package io.cellmesh.herb;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Bounds what a run of a link has in each partition of the mesh topic that the sink has not passed,
 * so that a peer's backlog stays with the peer and delays nobody else's cells (invariant 9). A
 * partition whose window is full is not read on until the sink has passed enough; the others are.
 * What is read counts from then on: while it waits, while it is sent, and where it stands.
 *
 * <p>A window is four times as wide where the sink goes on and has passed this run's cells and
 * nobody else's for five seconds: then there is nobody whom they delay, and more of them under way
 * at once keep the sink busy. The first cell of somebody else that the sink passes ends that.
 *
 * <p>Where no sink is known there is nobody to wait for, and nothing is bounded. Thread-safe.
 */
final class MeshWindow {
  /** How many times as wide it is while nobody else's cells come. */
  private static final int WIDE = 4;

  private final String topic;
  private final int size;
  private final SinkPlace sink;
  private final LongSupplier clock;
  private final Map<Integer, Part> parts = new HashMap<>();
  private long waits;

  /** Others' cells of the mesh that the sink has passed. */
  private long others;

  private final Alone alone;

  /**
   * @param topic of the mesh
   * @param size most records of a partition while others' cells come
   * @param ends of the topic's partitions: what stands there before counts as the link's own, up to
   *     a window, since an earlier run of it may have written that
   * @param clock of {@link System#nanoTime}
   */
  MeshWindow(String topic, int size, SinkPlace sink, Map<Integer, Long> ends, LongSupplier clock) {
    this.topic = topic;
    this.size = size;
    this.sink = sink;
    this.clock = clock;
    this.alone = new Alone(clock.getAsLong());
    ends.forEach(
        (partition, end) ->
            sink.passed(partition)
                .ifPresent(
                    passed -> {
                      for (long at = Math.max(passed, end - size); at < end; at++) {
                        of(partition).unsunk.add(at);
                      }
                    }));
  }

  /** A window that bounds nothing. */
  static MeshWindow none() {
    var nobody =
        new SinkPlace() {
          @Override
          public OptionalLong passed(int partition) {
            return OptionalLong.empty();
          }

          @Override
          public OptionalLong own() {
            return OptionalLong.empty();
          }

          @Override
          public void ask() {
            // There is nobody.
          }
        };
    return new MeshWindow("", Integer.MAX_VALUE, nobody, Map.of(), System::nanoTime);
  }

  /** Makes one for a run of a link. */
  interface Maker {
    /**
     * @throws org.apache.kafka.common.KafkaException if this data centre's Kafka does not answer
     */
    MeshWindow make() throws InterruptedException;
  }

  /**
   * How the windows of a run are.
   *
   * @param full partitions that are not read on, since their windows are full
   * @param stalled for how long the sink has passed nothing of the one of these that has waited
   *     longest; zero if none waits
   */
  record State(int full, Duration stalled) {
    static final State OPEN = new State(0, Duration.ZERO);
  }

  /**
   * What was seen since it was made; of the sink, while it was asked.
   *
   * @param waits how often a partition that was to be read on had no room
   * @param others cells of others that the sink has passed, counted from anywhere: own ones of this
   *     data centre and, behind what stood there when the window was made, those of other links
   */
  record Work(long waits, long others) {}

  /**
   * The most that is worth reading at once: half of a window, so that reading goes on meanwhile.
   */
  int portion() {
    return Math.max(1, size / 2);
  }

  /**
   * Whether a partition may be read on; else it waits until it may.
   *
   * @param records that may come of it; where nothing is under way so many may come in any case
   */
  synchronized boolean hasRoom(int partition, int records) {
    long now = clock.getAsLong();
    var part = of(partition);
    var passed = sink.passed(partition);
    if (passed.isPresent()) {
      pass(part, passed.getAsLong(), now);
    } else {
      part.forgetAllBut(size);
    }
    if (passed.isEmpty() ? part.underWay() > 0 : part.count() + (long) records > size / 2) {
      sink.ask();
    }
    boolean room =
        passed.isEmpty() || part.count() == 0 || part.count() + (long) records <= width(part, now);
    part.full(!room, now);
    waits += room ? 0 : 1;
    return room;
  }

  /** As {@link #hasRoom} does with one that is to be read on; the others pass cells, too. */
  private void passAll() {
    long now = clock.getAsLong();
    parts.forEach(
        (partition, part) -> sink.passed(partition).ifPresent(passed -> pass(part, passed, now)));
  }

  private void pass(Part part, long next, long now) {
    long before = part.others();
    if (part.pass(next, now)) {
      alone.passed(now);
    }
    others += part.others() - before;
    alone.others(sink.own(), others, now);
  }

  /** The most records that a partition may have now. */
  private long width(Part part, long now) {
    return alone.is() && part.goesOn(now) ? (long) WIDE * size : size;
  }

  /** Records of a partition were read that wait to be looked at. */
  synchronized void read(int partition, int records) {
    of(partition).read += records;
  }

  /** One of them was looked at: it was sent, or goes elsewhere. */
  synchronized void looked(int partition) {
    var part = of(partition);
    part.read = Math.max(0, part.read - 1);
  }

  /** Somebody begins to read partitions: what was read of them before and not looked at is lost. */
  synchronized void begin(Collection<Integer> partitions) {
    partitions.forEach(partition -> of(partition).read = 0);
  }

  /** Nobody who has asked waits for partitions any more. */
  synchronized void leave(Collection<Integer> partitions) {
    partitions.forEach(partition -> of(partition).full = false);
  }

  /**
   * Counts a record that is about to be sent, if it goes to the mesh.
   *
   * @param then called when it has arrived or was refused; null for nobody
   * @return what the producer is to call then
   */
  Callback counted(ProducerRecord<?, ?> record, Callback then) {
    if (!record.topic().equals(topic) || record.partition() == null) {
      return then;
    }
    sending(record.partition());
    return (metadata, failure) -> {
      if (failure == null) {
        arrived(record.partition(), metadata.offset());
      }
      if (then != null) {
        then.onCompletion(metadata, failure);
      }
    };
  }

  synchronized State state() {
    long now = clock.getAsLong();
    var full = parts.values().stream().filter(part -> part.full).toList();
    long stalled = full.stream().mapToLong(part -> now - part.since).max().orElse(0);
    return new State(full.size(), Duration.ofNanos(stalled));
  }

  /** Has the sink asked for, though no window is half full. */
  void ask() {
    sink.ask();
  }

  synchronized Work work() {
    passAll();
    return new Work(waits, sink.own().orElse(0) + others);
  }

  /** How many of the run's own cells the sink has passed, of each partition that it looks at. */
  synchronized Map<Integer, Long> sunk() {
    passAll();
    return parts.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().own));
  }

  /** The partitions that have no room and of which the sink has passed nothing for so long. */
  synchronized Set<Integer> stalled(Duration atLeast) {
    long now = clock.getAsLong();
    return parts.entrySet().stream()
        .filter(e -> e.getValue().full && now - e.getValue().since >= atLeast.toNanos())
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private synchronized void sending(int partition) {
    of(partition).sent++;
  }

  private synchronized void arrived(int partition, long offset) {
    of(partition).arrived(offset);
  }

  private Part of(int partition) {
    return parts.computeIfAbsent(partition, p -> new Part());
  }

  /** What one partition has of the link. */
  private static final class Part {
    private final Queue<Long> unsunk = new ArrayDeque<>();
    private int read;
    private int sent;
    private long last = -1;
    private long first = -1;
    private long passed;
    private long own;
    private boolean full;
    private long since;

    /** Whether the sink has passed some of the run's, and when it did last. */
    private boolean hasPassed;

    private long passedAt;

    int underWay() {
      return read + sent;
    }

    int count() {
      return underWay() + unsunk.size();
    }

    void arrived(long offset) {
      sent--;
      if (offset <= last) {
        // The topic was made again.
        unsunk.clear();
      }
      last = offset;
      unsunk.add(offset);
    }

    /** Returns whether some of them were the run's. */
    boolean pass(long next, long now) {
      first = first < 0 ? next : first;
      passed = next;
      boolean some = !unsunk.isEmpty() && unsunk.peek() < next;
      while (!unsunk.isEmpty() && unsunk.peek() < next) {
        unsunk.remove();
        own++;
      }
      if (some) {
        since = now;
        hasPassed = true;
        passedAt = now;
      }
      return some;
    }

    boolean goesOn(long now) {
      return hasPassed && now - passedAt < Alone.GOES_ON_NANOS;
    }

    long others() {
      return Math.max(0, passed - Math.max(0, first) - own);
    }

    void forgetAllBut(int most) {
      while (unsunk.size() > most) {
        unsunk.remove();
      }
    }

    void full(boolean now, long time) {
      if (now && !full) {
        since = time;
      }
      full = now;
    }
  }
}
