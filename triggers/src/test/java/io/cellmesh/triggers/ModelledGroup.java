package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.CellAttempts;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.triggers.ModelledLog.Cell;
import io.cellmesh.triggers.ModelledLog.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/**
 * A trigger's group without I/O: members with a {@link Dispatcher} each, a coordinator that refuses
 * a former member, and what the state topic remembers. Whatever may fail does, and after each step
 * the truth, which the log keeps, is compared with what the group says.
 */
final class ModelledGroup {
  private static final int MEMBERS = 3;
  private static final int CELL_BYTES = 10;
  private static final int LIMIT = 3;

  private final Order order;
  private final Random random;
  private final ModelledLog log;
  private final Settings settings;
  private final List<Member> members = new ArrayList<>();
  private final List<String> steps = new ArrayList<>();

  private final Member[] owners = new Member[ModelledLog.PARTITIONS];
  private final Commit[] committed = new Commit[ModelledLog.PARTITIONS];
  private final List<Set<UUID>> markers = new ArrayList<>();
  private final List<Map<UUID, CellAttempts>> notes = new ArrayList<>();

  /** What whoever made the commit knew to be finished: it must not come again. */
  private final List<Set<Cell>> committedCells = new ArrayList<>();

  /** What the owners' callbacks have, by shard or row. */
  private final Map<Object, Batch> live = new HashMap<>();

  private final Map<Object, Integer> firstUntouched = new HashMap<>();
  private Instant now = Instant.EPOCH;
  private boolean settling;

  ModelledGroup(Order order, long seed) {
    this.order = order;
    this.random = new Random(seed);
    this.log = new ModelledLog(random);
    this.settings =
        new Settings(
            order,
            1 + random.nextInt(4),
            1 + random.nextInt(4),
            cell -> cell.column.equals("WANTED"),
            random.nextInt(4) > 0,
            30,
            new Bounds(6 + random.nextInt(20), 2_000, random.nextInt(4)),
            new Retry(
                LIMIT,
                Duration.ofHours(1),
                Duration.ofMillis(100),
                Duration.ofSeconds(2),
                List.of(UnsupportedOperationException.class),
                new Random(seed)));
    log.produce(random.nextInt(30));
    log.begin();
    log.produce(random.nextInt(30));
    for (int i = 0; i < MEMBERS; i++) {
      members.add(new Member(i));
    }
    for (int partition = 0; partition < ModelledLog.PARTITIONS; partition++) {
      markers.add(new HashSet<>());
      notes.add(new HashMap<>());
      committedCells.add(new HashSet<>());
      committed[partition] = new Commit(log.start[partition], "");
      give(partition);
    }
  }

  List<String> steps() {
    return steps;
  }

  void step() {
    now = now.plusMillis(random.nextInt(400));
    var member = members.get(random.nextInt(MEMBERS));
    int partition = random.nextInt(ModelledLog.PARTITIONS);
    int dice = random.nextInt(1000);
    if (dice < 250) {
      member.poll(false);
    } else if (dice < 480) {
      member.next();
    } else if (dice < 680) {
      member.endOne();
    } else if (dice < 760) {
      member.commit(partition);
    } else if (dice < 810) {
      member.park();
    } else if (dice < 900) {
      log.produce(1 + random.nextInt(6));
    } else if (dice < 915) {
      step("repeat " + partition);
      log.repeat(partition);
    } else if (dice < 920) {
      step("rebuild " + partition);
      log.rebuild(partition);
    } else if (dice < 935) {
      handOver(partition);
    } else if (dice < 950) {
      step("lose " + partition + ", which " + owners[partition] + " does not know");
      give(partition);
    } else if (dice < 958) {
      member.die();
    } else if (dice < 961) {
      expire(partition);
    } else if (dice < 968) {
      member.learn();
    } else if (dice < 978) {
      replay(partition);
    } else if (dice < 985) {
      member.paused = !member.paused;
      member.dispatcher.pause(member.paused);
    } else if (dice < 990) {
      member.halted = !member.halted;
      step(member + (member.halted ? " halts" : " goes on"));
      member.dispatcher.halt(member.halted, now);
    } else {
      now = now.plusSeconds(3);
    }
    members.forEach(Member::checkMemory);
  }

  /** Lets all go well from here, but for cells that fail or kill always. */
  void settle() {
    step("settle");
    settling = true;
    for (int i = 0; i < 3_000; i++) {
      now = now.plusSeconds(1);
      for (var member : members) {
        member.settle();
      }
      if (isDone()) {
        return;
      }
    }
    throw new AssertionError("never comes to the end: " + whereItStands());
  }

  private boolean isDone() {
    for (int partition = 0; partition < ModelledLog.PARTITIONS; partition++) {
      if (committed[partition].offset() < log.end(partition)) {
        return false;
      }
    }
    return true;
  }

  private String whereItStands() {
    var text = new StringBuilder();
    for (int partition = 0; partition < ModelledLog.PARTITIONS; partition++) {
      text.append(partition)
          .append(" of ")
          .append(owners[partition])
          .append(" at ")
          .append(committed[partition].offset())
          .append(" of ")
          .append(log.end(partition))
          .append("; ");
    }
    return text.toString();
  }

  private void step(String what) {
    steps.add(what);
  }

  private void give(int partition) {
    var former = owners[partition];
    if (former != null) {
      live.values().removeIf(batch -> number(batch.partition.at) == partition);
    }
    var next = members.get(random.nextInt(MEMBERS));
    next.forget(partition);
    owners[partition] = next;
    next.take(partition);
  }

  private void handOver(int partition) {
    var owner = owners[partition];
    if (owner.owns(partition)) {
      step("hand over " + partition + " of " + owner);
      owner.dispatcher.revoke(at(partition));
      while (owner.owns(partition) && owner.dispatcher.running(at(partition)) > 0) {
        owner.end(
            owner.running.stream()
                .filter(batch -> batch.partition.at.equals(at(partition)))
                .findFirst()
                .orElseThrow());
      }
      if (owner.owns(partition)) {
        owner.commit(partition);
        owner.forget(partition);
      }
      if (owners[partition] == owner) {
        give(partition);
      }
    }
  }

  private void expire(int partition) {
    step("offset of " + partition + " expires");
    committed[partition] = new Commit(log.start[partition], "");
    committedCells.get(partition).clear();
    owners[partition].die();
  }

  private void replay(int partition) {
    var owner = owners[partition];
    if (owner.owns(partition) && owner.parking == null && !markers.get(partition).isEmpty()) {
      var row = markers.get(partition).iterator().next();
      step("replay " + row);
      markers.get(partition).remove(row);
      owner.dispatcher.unpark(at(partition), row);
    }
  }

  /** Takes a commit of a member's, unless the partition is another's. */
  private boolean commit(Member member, int partition, Commit commit, Set<Cell> known) {
    if (owners[partition] != member || !member.owns(partition)) {
      return false;
    }
    check(partition, commit);
    committed[partition] = commit;
    committedCells.set(partition, new HashSet<>(known));
    return true;
  }

  private void check(int partition, Commit commit) {
    if (commit.metadata().length() > Finished.LONGEST) {
      throw new AssertionError("metadata of " + commit.metadata().length());
    }
    var finished = Finished.decode(commit.offset(), commit.metadata());
    var comeAgain = new HashSet<Cell>();
    for (var entry : log.partitions.get(partition)) {
      boolean said =
          entry.offset() < commit.offset()
              || finished.runs().stream()
                  .anyMatch(run -> run.first() <= entry.offset() && entry.offset() < run.end());
      if (!said) {
        comeAgain.add(entry.cell());
      } else if (!log.mayPass(partition, entry) && !comeAgain.contains(entry.cell())) {
        throw new AssertionError(
            "progress is past " + entry.cell() + ", which is not finished: " + commit);
      }
    }
    for (var shard : finished.shards()) {
      for (var cell : log.shards.get(shard.shard())) {
        boolean main = cell.id >= shard.ids().lowest() && cell.id <= shard.ids().highest();
        boolean stretch =
            shard.ids().hasStretch()
                && cell.id >= shard.ids().stretchFirst()
                && cell.id <= shard.ids().stretchLast();
        if ((main || stretch) && !cell.isFinished()) {
          throw new AssertionError(
              cell + " is said to be finished and is not: " + shard.ids() + ", " + finished);
        }
      }
    }
  }

  private Object key(Cell cell) {
    return order == Order.SHARD ? (Object) cell.shard : cell.row;
  }

  /** Checks that no earlier cell of the shard or row was left out. */
  private void touch(Cell cell) {
    int partition = cell.shard % ModelledLog.PARTITIONS;
    if (cell.offset < log.start[partition] || cell.delivered || cell.parked) {
      return;
    }
    var cells = log.shards.get(cell.shard);
    int first = firstUntouched.getOrDefault(key(cell), 0);
    while (first < cells.size() && isTouched(cells.get(first), cell, partition)) {
      first++;
    }
    firstUntouched.put(key(cell), first);
    if (cells.get(first) != cell) {
      throw new AssertionError(
          cell + " is delivered, and " + cells.get(first) + ", which stands before it, never was");
    }
  }

  private boolean isTouched(Cell cell, Cell of, int partition) {
    return !key(cell).equals(key(of))
        || cell.offset < log.start[partition]
        || !cell.wanted
        || cell.delivered
        || cell.parked;
  }

  private static TopicPartition at(int partition) {
    return new TopicPartition("trips.log", partition);
  }

  private static int number(TopicPartition at) {
    return at.partition();
  }

  /** A process. */
  private final class Member {
    private final int number;
    private Dispatcher dispatcher = new Dispatcher(settings);
    private final Map<Integer, Integer> positions = new HashMap<>();
    private final Map<Integer, Set<Cell>> finished = new HashMap<>();
    private final List<Batch> running = new ArrayList<>();
    private final Map<Object, Batch> busy = new IdentityHashMap<>();
    private final Map<Integer, Set<Cell>> finishedWithParking = new HashMap<>();
    private Parking parking;
    private boolean paused;
    private boolean halted;

    Member(int number) {
      this.number = number;
    }

    boolean owns(int partition) {
      return positions.containsKey(partition);
    }

    void take(int partition) {
      var commit = committed[partition];
      step(this + " takes " + partition + " at " + commit);
      dispatcher.assign(
          at(partition),
          new Assignment(
              commit.offset(), commit.metadata(), markers.get(partition), notes.get(partition)));
      finished.put(partition, new HashSet<>(committedCells.get(partition)));
      seek(partition, commit.offset());
    }

    void forget(int partition) {
      if (positions.remove(partition) != null) {
        dispatcher.lost(at(partition));
      }
    }

    /** Hears that partitions are another's. */
    void learn() {
      for (int partition = 0; partition < ModelledLog.PARTITIONS; partition++) {
        if (owners[partition] != this) {
          forget(partition);
        }
      }
    }

    void die() {
      step(this + " dies");
      dispatcher = new Dispatcher(settings);
      positions.clear();
      running.clear();
      busy.clear();
      parking = null;
      paused = false;
      halted = false;
      for (int partition = 0; partition < ModelledLog.PARTITIONS; partition++) {
        if (owners[partition] == this) {
          give(partition);
        }
      }
    }

    private void seek(int partition, long offset) {
      var entries = log.partitions.get(partition);
      int position = 0;
      while (position < entries.size() && entries.get(position).offset() < offset) {
        position++;
      }
      positions.put(partition, position);
    }

    /** Reads a few records of each partition; now and then of one that wants none. */
    void poll(boolean all) {
      for (int partition : List.copyOf(positions.keySet())) {
        dispatcher.seek(at(partition)).ifPresent(offset -> seek(partition, offset));
        if (dispatcher.wants(at(partition)) || (!all && random.nextInt(8) == 0)) {
          read(partition, all ? 20 : 1 + random.nextInt(8));
        }
      }
    }

    private void read(int partition, int most) {
      var entries = log.partitions.get(partition);
      int from = positions.get(partition);
      int to = Math.min(entries.size(), from + most);
      step(this + " reads " + partition + " " + entries.subList(from, to));
      for (var entry : entries.subList(from, to)) {
        dispatcher.read(at(partition), delivery(entry), now);
      }
      positions.put(partition, to);
    }

    private Delivery delivery(Entry entry) {
      var cell = entry.cell();
      return new Delivery(
          entry.offset(),
          cell.shard,
          cell.id,
          cell.row,
          cell.wanted ? "WANTED" : "OTHER",
          entry.rebuilt(),
          CELL_BYTES,
          cell);
    }

    void next() {
      for (var note : dispatcher.cleared()) {
        notes.get(number(note.partition())).remove(note.row());
      }
      var begun = new ArrayList<Batch>();
      dispatcher.next(now, begun);
      for (var batch : begun) {
        int partition = number(batch.partition.at);
        batch
            .notes()
            .forEach(note -> notes.get(partition).put(note.row(), note.attempts().orElseThrow()));
        begin(batch, partition);
      }
    }

    private void begin(Batch batch, int partition) {
      step(this + " begins " + cells(batch));
      if (batch.cells.size() > settings.batch() || running.size() >= settings.concurrency()) {
        throw new AssertionError("too many at once: " + cells(batch));
      }
      boolean owner = owners[partition] == this;
      for (var cell : cells(batch)) {
        var other = busy.put(busyKey(cell), batch);
        var owners = owner ? live.put(key(cell), batch) : null;
        if ((other != null && other != batch) || (owners != null && owners != batch)) {
          throw new AssertionError("two at once of " + key(cell));
        }
        if (!cell.wanted) {
          throw new AssertionError(cell + " is of another column");
        }
        if (finished.get(partition).contains(cell)) {
          throw new AssertionError(cell + " comes again, which is known to be finished");
        }
        touch(cell);
        cell.delivered = true;
      }
      running.add(batch);
    }

    private Object busyKey(Cell cell) {
      return order == Order.SHARD ? log.shards.get(cell.shard) : cell.row;
    }

    private List<Cell> cells(Batch batch) {
      return batch.cells.stream().map(cell -> (Cell) cell.payload).toList();
    }

    void endOne() {
      if (!running.isEmpty()) {
        end(running.get(random.nextInt(running.size())));
      }
    }

    void end(Batch batch) {
      var cells = cells(batch);
      if (cells.stream().anyMatch(Cell::isKiller)) {
        step(cells + " kill");
        die();
        return;
      }
      running.remove(batch);
      for (var cell : cells) {
        busy.remove(busyKey(cell));
        live.remove(key(cell), batch);
      }
      var failing = cells.stream().filter(this::fails).toList();
      if (failing.isEmpty()) {
        step(cells + " succeed");
        cells.forEach(cell -> finish(cell, batch));
        dispatcher.succeeded(batch, now);
      } else if (random.nextBoolean() && settings.batch() > 1) {
        step(failing + " of " + cells + " fail");
        failSome(batch, failing);
      } else {
        step(cells + " fail");
        dispatcher.failed(batch, failure(), now);
      }
    }

    private void failSome(Batch batch, List<Cell> failing) {
      var failures = new HashMap<TriggeredCell, Exception>();
      var failed = new HashSet<Object>();
      for (var delivery : batch.cells) {
        var cell = (Cell) delivery.payload;
        if (failing.contains(cell)) {
          failed.add(key(cell));
          failures.put(new TriggeredCell(batch.partition.at, delivery, null), failure());
        } else if (!failed.contains(key(cell))) {
          finish(cell, batch);
        }
      }
      dispatcher.failed(batch, new BatchFailedException(failures), now);
    }

    private void finish(Cell cell, Batch batch) {
      cell.done = true;
      if (!batch.partition.isClosed()) {
        finished.get(number(batch.partition.at)).add(cell);
      }
    }

    private boolean fails(Cell cell) {
      return cell.isPoison() || (!settling && random.nextInt(8) == 0);
    }

    private Exception failure() {
      return switch (random.nextInt(settling ? 2 : 8)) {
        case 0 -> new RetryLaterException("later", Duration.ofSeconds(random.nextInt(4)));
        case 2 -> new ParkException("in vain");
        case 3 -> new UnsupportedOperationException("never");
        default -> new IllegalStateException("failed");
      };
    }

    void commit(int partition) {
      if (owns(partition)) {
        dispatcher
            .commit(at(partition))
            .filter(commit -> settling || random.nextInt(10) > 0)
            .ifPresent(commit -> send(partition, commit));
      }
    }

    private void send(int partition, Commit commit) {
      step(this + " commits " + partition + " " + commit);
      if (!ModelledGroup.this.commit(this, partition, commit, finished.get(partition))) {
        step("refused");
        learn();
      } else if (settling || random.nextInt(10) > 0) {
        dispatcher.committed(at(partition), commit);
      }
    }

    /** Begins a transaction that parks, or ends the one that runs. */
    void park() {
      if (parking == null) {
        parking = dispatcher.park(now).orElse(null);
        if (parking != null) {
          step(this + " is about to park " + parked());
          for (var at : parking.commits().keySet()) {
            var known = new HashSet<>(finished.get(number(at)));
            known.addAll(parked());
            finishedWithParking.put(number(at), known);
          }
        }
      } else {
        var done = parking;
        parking = null;
        if (!settling && random.nextInt(4) == 0) {
          step("aborted");
          dispatcher.notParked(done, now);
        } else if (write(done)) {
          if (!settling && random.nextInt(8) == 0) {
            die();
          } else {
            dispatcher.parked(done, now);
          }
        } else {
          step("refused");
          learn();
          dispatcher.notParked(done, now);
        }
      }
    }

    private List<Cell> parked() {
      return parking.cells().stream().map(parked -> (Cell) parked.cell().payload).toList();
    }

    private boolean write(Parking done) {
      step(this + " parks, with " + done.commits());
      boolean fenced =
          done.cells().stream()
              .anyMatch(
                  parked ->
                      owners[number(parked.partition())] != this
                          || parked.cell().lane.partition.isClosed());
      if (fenced) {
        return false;
      }
      for (var cell : done.cells()) {
        var parked = (Cell) cell.cell().payload;
        parked.parked = true;
        finished.get(number(cell.partition())).add(parked);
        if (settings.rowsFollow()) {
          markers.get(number(cell.partition())).add(cell.cell().row);
        }
      }
      done.commits()
          .forEach(
              (at, commit) ->
                  ModelledGroup.this.commit(
                      this, number(at), commit, finishedWithParking.get(number(at))));
      return true;
    }

    void checkMemory() {
      if (dispatcher.cells() > settings.bounds().cells()
          || dispatcher.bytes() > settings.bounds().bytes()
          || dispatcher.bytes() != (long) dispatcher.cells() * CELL_BYTES) {
        throw new AssertionError(
            dispatcher.cells() + " cells and " + dispatcher.bytes() + " bytes in memory");
      }
    }

    void settle() {
      learn();
      paused = false;
      halted = false;
      dispatcher.pause(false);
      dispatcher.halt(false, now);
      poll(true);
      checkMemory();
      next();
      for (var batch : List.copyOf(running)) {
        if (running.contains(batch)) {
          end(batch);
        }
      }
      if (parking == null) {
        park();
      }
      if (parking != null) {
        park();
      }
      for (int partition = 0; partition < ModelledLog.PARTITIONS; partition++) {
        commit(partition);
      }
    }

    @Override
    public String toString() {
      return "member " + number;
    }
  }
}
