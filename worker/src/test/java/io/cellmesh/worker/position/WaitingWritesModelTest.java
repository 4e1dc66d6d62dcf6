package io.cellmesh.worker.position;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.storage.BufferTable.Covered;
import io.cellmesh.worker.position.Observation.Buffer;
import io.cellmesh.worker.position.Observation.MinionPositions;
import io.cellmesh.worker.position.Observation.Sight;
import io.cellmesh.worker.position.Outcome.Buffered;
import io.cellmesh.worker.position.Outcome.Conflict;
import io.cellmesh.worker.position.Outcome.Late;
import io.cellmesh.worker.position.Outcome.Rejected;
import io.cellmesh.worker.position.Outcome.Replicated;
import io.cellmesh.worker.position.Outcome.Secured;
import io.cellmesh.worker.position.Outcome.Visible;
import io.cellmesh.worker.position.WaitingWrites.Ended;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A cluster of a model lives by chance: records come, the sink copies and commits, or can't commit,
 * the master takes them up and hangs, minions follow or don't, a promotion loses what no minion
 * had. Whatever a writer is told is compared with what the model's servers have at that moment.
 */
class WaitingWritesModelTest {
  private static final int PARTITIONS = 3;
  private static final int STEPS = 3_000;
  private static final Instant SINCE = Instant.EPOCH;
  private static final Body ONE = WaitingWritesTest.body("1");
  private static final Body TWO = WaitingWritesTest.body("2");

  private final Map<Class<?>, Integer> told = new HashMap<>();
  private Random random;
  private World world;
  private WaitingWrites waiting;
  private long now;

  /** Whether a writer was told by what buffers hold. */
  private boolean withoutCommit;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void whatever_a_writer_is_told_is_so(long seed) {
    random = new Random(seed);
    world = new World(random.nextInt(3));
    waiting = new WaitingWrites(1 + random.nextInt(6));
    for (int step = 0; step < STEPS; step++) {
      now++;
      step();
    }
    world.catchUp();
    for (int round = 0; round < 2 * STEPS && !waiting.isEmpty(); round++) {
      look();
    }
    assertThat(waiting.isEmpty()).as("all servers are well, and nobody waits").isTrue();
    assertThat(told.keySet()).contains(Visible.class, Conflict.class, Rejected.class, Late.class);
    assertThat(told.keySet()).contains(Secured.class, Buffered.class);
    assertThat(told.containsKey(Replicated.class)).isEqualTo(!world.minions.isEmpty());
    assertThat(withoutCommit).as("by copies alone").isTrue();
  }

  private void step() {
    switch (random.nextInt(11)) {
      case 0, 1, 2 -> write();
      case 10 -> world.copy();
      case 3 -> world.commit();
      case 4, 5 -> world.take();
      case 6 -> world.replicate();
      case 7 -> world.away = random.nextInt(4) == 0;
      case 8 -> {
        if (random.nextInt(20) == 0) {
          world.promote();
        } else {
          waiting.expire(now).forEach(this::check);
        }
      }
      default -> look();
    }
  }

  private void write() {
    int partition = random.nextInt(PARTITIONS);
    // Few keys, so that some meet.
    var key = new CellKey(new UUID(0, partition), "BASE", random.nextInt(200));
    var cell = new Cell(key, random.nextBoolean() ? ONE : TWO, Optional.empty());
    long offset = world.accept(partition, cell, random.nextInt(4) == 0);
    var waitFor = WaitFor.values()[1 + random.nextInt(3)];
    waiting.add(new PendingWrite(cell, partition, offset, waitFor, now + random.nextInt(200)));
  }

  private void look() {
    var question = waiting.question();
    var seen = world.look(question);
    waiting.observe(seen).forEach(this::check);
  }

  /** By the model's own state, and not by what was observed. */
  private void check(Ended ended) {
    var write = ended.write();
    var outcome = ended.outcome();
    told.merge(outcome.getClass(), 1, Integer::sum);
    var row = Optional.ofNullable(world.master.rows.get(write.cell().key()));
    boolean passed = world.master.next[write.partition()] > write.offset();
    boolean same = row.filter(write.cell().body()::sameAs).isPresent();
    if (outcome instanceof Visible || outcome instanceof Replicated) {
      assertThat(passed).as("%s: the position has passed", ended).isTrue();
      assertThat(same).as("%s: the row is there", ended).isTrue();
      assertThat(world.away).as("%s: the master said so", ended).isFalse();
    }
    if (outcome instanceof Replicated) {
      assertThat(world.minions).as("%s", ended).isNotEmpty();
      assertThat(world.minions)
          .as("%s: each minion has it", ended)
          .allMatch(m -> write.cell().body().sameAs(m.rows.get(write.cell().key())));
    } else if (outcome instanceof Visible) {
      assertThat(write.waitFor() != WaitFor.REPLICATED || world.minions.isEmpty())
          .as("%s: no more was asked for", ended)
          .isTrue();
    } else if (outcome instanceof Rejected) {
      assertThat(passed && row.isEmpty()).as("%s", ended).isTrue();
    } else if (outcome instanceof Conflict conflict) {
      assertThat(passed && row.isPresent() && !same).as("%s", ended).isTrue();
      assertThat(conflict.kept()).isEqualTo(row.orElseThrow().digest());
      boolean everywhere =
          world.minions.stream().allMatch(m -> m.next[write.partition()] > write.offset());
      assertThat(conflict.isFinal()).as("%s", ended).isEqualTo(everywhere);
    } else if (outcome instanceof Secured || outcome instanceof Buffered) {
      boolean committed = world.committed[write.partition()] > write.offset();
      assertThat(committed || world.away && world.holders(write) > 1).as("%s", ended).isTrue();
      withoutCommit |= !committed;
      assertThat(outcome instanceof Buffered).as("%s", ended).isEqualTo(world.away);
    } else if (outcome instanceof Late) {
      assertThat(write.deadline()).as("%s", ended).isLessThanOrEqualTo(now);
    }
  }

  /** A server of the model. */
  private static final class Node {
    private final long[] next = new long[PARTITIONS];
    private final Map<CellKey, Body> rows = new HashMap<>();

    void copy(Node other) {
      System.arraycopy(other.next, 0, next, 0, PARTITIONS);
      rows.clear();
      rows.putAll(other.rows);
    }
  }

  private final class World {
    private final List<List<Optional<Cell>>> topic = new ArrayList<>();
    private final long[] committed = new long[PARTITIONS];
    private final List<Node> minions = new ArrayList<>();

    /** The copies that other clusters' servers hold, by partition. */
    private final List<Map<Integer, List<Covered>>> buffers =
        List.of(new HashMap<>(), new HashMap<>(), new HashMap<>());

    private Node master = new Node();
    private boolean away;

    World(int minions) {
      for (int i = 0; i < minions; i++) {
        this.minions.add(new Node());
      }
      for (int i = 0; i < PARTITIONS; i++) {
        topic.add(new ArrayList<>());
      }
    }

    /**
     * @param bad the sink will reject it
     */
    long accept(int partition, Cell cell, boolean bad) {
      var records = topic.get(partition);
      records.add(bad ? Optional.empty() : Optional.of(cell));
      return records.size() - 1L;
    }

    void commit() {
      int partition = random.nextInt(PARTITIONS);
      long end = topic.get(partition).size();
      committed[partition] += random.nextInt((int) (end - committed[partition]) + 1);
    }

    /** Of the newest records of a partition, on none of the servers, on some or on all. */
    void copy() {
      int partition = random.nextInt(PARTITIONS);
      long end = topic.get(partition).size();
      var copy = new Covered(Math.max(0, end - random.nextInt(6)), end);
      buffers.stream()
          .filter(buffer -> random.nextInt(3) > 0)
          .forEach(b -> b.computeIfAbsent(partition, p -> new ArrayList<>()).add(copy));
    }

    long holders(PendingWrite write) {
      return buffers.stream()
          .filter(
              buffer ->
                  buffer.getOrDefault(write.partition(), List.of()).stream()
                      .anyMatch(c -> c.from() <= write.offset() && write.offset() <= c.next() - 1))
          .count();
    }

    /** Some records of a partition, in their order. */
    void take() {
      int partition = random.nextInt(PARTITIONS);
      for (int i = random.nextInt(4); i > 0 && !away; i--) {
        takeOne(partition);
      }
    }

    private boolean takeOne(int partition) {
      var records = topic.get(partition);
      if (master.next[partition] >= records.size()) {
        return false;
      }
      var cell = records.get((int) master.next[partition]);
      cell.ifPresent(c -> master.rows.putIfAbsent(c.key(), c.body()));
      master.next[partition]++;
      return true;
    }

    void replicate() {
      minions.stream().filter(m -> random.nextBoolean()).forEach(m -> m.copy(master));
    }

    /** The minion that is farthest takes over, and what it lacks is lost until it comes again. */
    void promote() {
      if (!minions.isEmpty()) {
        var farthest = new Node();
        minions.forEach(m -> farthest.copy(sum(m) >= sum(farthest) ? m : farthest));
        master = farthest;
        minions.forEach(m -> m.copy(farthest));
      }
    }

    private long sum(Node node) {
      return node.next[0] + node.next[1] + node.next[2];
    }

    void catchUp() {
      away = false;
      for (int partition = 0; partition < PARTITIONS; partition++) {
        while (takeOne(partition)) {
          // All of it.
        }
      }
      minions.forEach(m -> m.copy(master));
    }

    Observation look(Question question) {
      var outage = away ? Optional.of(new Outage("c1", "master", SINCE)) : Optional.<Outage>empty();
      var next = new HashMap<Integer, Long>();
      question.partitions().forEach(p -> next.put(p, master.next[p]));
      var rows = new HashMap<CellKey, Body>();
      question.keys().stream()
          .filter(master.rows::containsKey)
          .forEach(key -> rows.put(key, master.rows.get(key)));
      var sight = new Sight(next, new HashSet<>(question.keys()), rows);
      return new Observation(
          away ? Optional.empty() : Optional.of(sight),
          question.minions() && !away
              ? Optional.of(minions.stream().map(m -> positions(m, question)).toList())
              : Optional.empty(),
          away || question.secured() ? commits() : Map.of(),
          away && random.nextBoolean() ? buffers.stream().map(Buffer::new).toList() : List.of(),
          outage);
    }

    private MinionPositions positions(Node minion, Question question) {
      var next = new HashMap<Integer, Long>();
      question.partitions().forEach(p -> next.put(p, minion.next[p]));
      return new MinionPositions(next);
    }

    private Map<Integer, Long> commits() {
      var all = new HashMap<Integer, Long>();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        all.put(partition, committed[partition]);
      }
      return all;
    }
  }
}
