package io.cellmesh.stack.chaos;

import io.cellmesh.cell.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sessions of a worker's clients: each writes cells into rows of its own, and reads them from any
 * server. An answer is stale if it lacks what the positions that were sent cover, what the session
 * was told or saw before, or what the master had for longer than the answer says. Until a lost
 * master's cells are back, those that were not replicated are asked for by position alone.
 */
final class WorkerSessions implements AutoCloseable {
  private static final int SESSIONS = 4;
  private static final int ROWS = 8;
  private static final int TOLD = 10;
  private static final String COLUMN = "BASE";
  private static final List<String> WAITS = List.of("accepted", "secured", "visible", "replicated");
  private static final List<String> SERVERS = List.of("master", "minion", "any");

  /** Between two calls of a session. */
  private static final Duration PACE = Duration.ofMillis(100);

  private final Topology topology;
  private final WorkerCalls calls;
  private final List<Session> sessions = new ArrayList<>();

  /** Clusters whose master was lost, and whose cells may not all be back. */
  private final Set<String> recovering = ConcurrentHashMap.newKeySet();

  private final List<String> offences = new ArrayList<>();
  private SessionCounts counts = SessionCounts.NONE;
  private volatile boolean stopped;

  private WorkerSessions(WorkerCalls calls, Topology topology) {
    this.calls = calls;
    this.topology = topology;
  }

  /** Begins to write and to read. */
  static WorkerSessions start(WorkerCalls calls, Topology topology, long seed) {
    var all = new WorkerSessions(calls, topology);
    for (int i = 0; i < SESSIONS; i++) {
      all.sessions.add(all.new Session(new Random(31 * seed + i)));
    }
    all.sessions.forEach(session -> session.thread.start());
    return all;
  }

  /** A master is about to be lost for good. */
  void losesMaster(String cluster) {
    recovering.add(cluster);
  }

  /** What was lost with a master is back. */
  void isWhole(String cluster) {
    recovering.remove(cluster);
  }

  synchronized SessionCounts counts() {
    return counts;
  }

  /** The first answers that were not as they must be, a line each. */
  synchronized List<String> offences() {
    return List.copyOf(offences);
  }

  /** How long the call has been repeated that has been for the longest time. */
  Duration oldest() {
    long now = System.nanoTime();
    return Duration.ofNanos(
        sessions.stream()
            .mapToLong(session -> session.since)
            .map(since -> since == 0 ? 0 : now - since)
            .max()
            .orElse(0));
  }

  /** The highest ref_key of each row of which a worker said that Kafka has it. After the stop. */
  Map<UUID, Long> lastOfEachRow() {
    var last = new HashMap<UUID, Long>();
    for (var session : sessions) {
      for (var row : session.rows) {
        if (row.acknowledged > 0) {
          last.put(row.key, row.acknowledged);
        }
      }
    }
    return last;
  }

  /** Calls no more; returns when no call is under way. */
  void stop() {
    stopped = true;
    sessions.forEach(Session::join);
  }

  @Override
  public void close() {
    stop();
  }

  private synchronized void count(SessionCounts more) {
    counts = counts.plus(more);
  }

  private synchronized void offence(String line) {
    if (offences.size() < TOLD) {
      offences.add(line);
    }
  }

  private static final class Row {
    final UUID key;
    final RowSight sight = new RowSight();
    volatile long acknowledged;

    Row(UUID key) {
      this.key = key;
    }
  }

  private final class Session {
    final List<Row> rows = new ArrayList<>();
    private final Random random;
    private final Map<Integer, Position> positions = new HashMap<>();
    private final Thread thread = new Thread(this::run, "chaos-session");

    /** When the call that brought no answer yet was begun; 0 if there is none. */
    volatile long since;

    Session(Random random) {
      this.random = random;
      for (int i = 0; i < ROWS; i++) {
        rows.add(new Row(new UUID(random.nextLong(), random.nextLong())));
      }
      thread.setDaemon(true);
    }

    private void run() {
      try {
        while (!stopped) {
          var row = rows.get(random.nextInt(rows.size()));
          if (row.acknowledged == 0 || random.nextInt(3) == 0) {
            untilAnswered(() -> write(row));
          } else {
            untilAnswered(() -> read(row));
          }
          Thread.sleep(PACE.toMillis());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException e) {
        offence("a session of %s ended: %s".formatted(topology.datacenter(), e));
      }
    }

    /** Repeats a call, as its contract lets everybody. */
    private void untilAnswered(Call call) throws InterruptedException {
      since = System.nanoTime();
      while (!call.isAnswered() && !stopped) {
        Thread.sleep(PACE.toMillis());
      }
      since = 0;
    }

    private boolean write(Row row) throws InterruptedException {
      long ref = row.acknowledged + 1;
      var wait = WAITS.get(random.nextInt(WAITS.size()));
      var said = calls.put(row.key, COLUMN, ref, wait, "{\"ref\":%d}".formatted(ref));
      if (said.isEmpty()) {
        count(new SessionCounts(0, 1, 0, 0, 0));
        return false;
      }
      var answer = said.get();
      if (answer.status() > 202) {
        offence("a cell is told %d: %s".formatted(answer.status(), answer.json()));
        throw new IllegalStateException("a write was refused");
      }
      var position = Position.parse(answer.header("Position").orElse(""));
      positions.merge(position.partition, position, Position::later);
      row.sight.covers(ref);
      var state = answer.json().path("state").asText();
      boolean lasting = state.equals("replicated");
      if (lasting || state.equals("visible")) {
        row.sight.seen(ref, System.nanoTime(), lasting);
      }
      row.acknowledged = ref;
      count(new SessionCounts(1, 0, 0, 0, 0));
      return true;
    }

    private boolean read(Row row) throws InterruptedException {
      var from = SERVERS.get(random.nextInt(SERVERS.size()));
      boolean positioned = random.nextBoolean();
      var cluster = topology.clusterOf(topology.shards().of(row.key)).name();
      boolean excused = recovering.contains(cluster);
      long asked = System.nanoTime();
      var said = calls.latest(row.key, COLUMN, from, positioned ? sent() : "");
      if (said.isEmpty()) {
        count(new SessionCounts(0, 0, 0, 1, 0));
        return false;
      }
      var answer = said.get();
      if (answer.status() != 200 && answer.status() != 404) {
        offence("a read is told %d: %s".formatted(answer.status(), answer.json()));
        throw new IllegalStateException("a read was refused");
      }
      long ref = answer.json().path("ref_key").asLong();
      if (ref != answer.json().path("body").path("ref").asLong()) {
        offence("row %s, ref_key %d has another body than was written".formatted(row.key, ref));
      }
      var lack =
          row.sight.judge(
              new RowSight.Answer(
                  ref, asked, lacks(answer), positioned, excused || recovering.contains(cluster)));
      lack.ifPresent(text -> offence(stale(row, ref, answer, text)));
      if (ref > 0) {
        row.sight.seen(ref, System.nanoTime(), false);
      }
      count(new SessionCounts(0, 0, 1, 0, lack.isPresent() ? 1 : 0));
      return true;
    }

    private String sent() {
      return String.join(",", positions.values().stream().map(Position::text).toList());
    }

    private void join() {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static Optional<Duration> lacks(WorkerCalls.Said answer) {
    var told = answer.header("Stale-Up-To");
    if (told.isEmpty()) {
      return Optional.of(Duration.ZERO);
    }
    return told.filter(text -> !text.equals("unknown"))
        .map(text -> Duration.ofNanos((long) Math.ceil(Double.parseDouble(text) * 1e9)));
  }

  private static String stale(Row row, long ref, WorkerCalls.Said answer, String text) {
    return "stale: %s answered ref_key %d of row %s, stale up to %s; %s"
        .formatted(
            answer.header("Served-By").orElse("?"),
            ref,
            row.key,
            answer.header("Stale-Up-To").orElse("nothing"),
            text);
  }

  @FunctionalInterface
  private interface Call {
    boolean isAnswered() throws InterruptedException;
  }

  /** Where a write stands, as the worker told it: {@code DC:TOPIC:PARTITION:OFFSET}. */
  private record Position(String text, int partition, long offset) {
    static Position parse(String text) {
      var parts = text.split(":");
      if (parts.length != 4) {
        throw new IllegalStateException("Cellmesh-Position = \"" + text + "\"");
      }
      return new Position(text, Integer.parseInt(parts[2]), Long.parseLong(parts[3]));
    }

    Position later(Position other) {
      return offset >= other.offset ? this : other;
    }
  }
}
