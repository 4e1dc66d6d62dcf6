package io.cellmesh.triggers;

import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.trigger.Definition;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.Start;
import io.cellmesh.topics.trigger.TriggerName;
import io.cellmesh.topics.trigger.TriggerRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Says what a trigger is, and starts it in this process:
 *
 * <pre>{@code
 * var billing = Trigger.named("billing").on("BASE").of(deployment).call(cell -> charge(cell)).start();
 * }</pre>
 *
 * <p>Each shard's cells of the named columns reach the callback in the log's order, each at least
 * once; a cell that fails is tried again and then parked, with the later cells of its row behind it
 * (invariant 12). Any number of processes may start a trigger of one name: Kafka shares the
 * partitions of the log out among them.
 */
public final class Trigger {
  private static final int KEPT_BEHIND_A_FAILED_CELL = 200;

  private final TriggerName name;
  private List<String> columns = List.of();
  private Predicate<TriggeredCell> filter;
  private DataCenter datacenter;
  private Optional<String> topic = Optional.empty();
  private Order order = Order.SHARD;
  private Start start = new Start.Beginning();
  private boolean whatIsLeft;
  private int threads = 8;
  private int attempts = 10;
  private Duration age = Duration.ofDays(365);
  private Duration shortestBackOff = Duration.ofMillis(100);
  private Duration longestBackOff = Duration.ofMinutes(1);
  private List<Class<? extends Exception>> neverRetried = List.of();
  private boolean rowsFollow = true;
  private int haltRows = 5;
  private Duration window = Duration.ofSeconds(10);
  private int mostCells = 20_000;
  private long mostBytes = 64L << 20;
  private Duration commitInterval = Duration.ofMillis(200);
  private Duration session = Duration.ofSeconds(10);
  private Duration handOver = Duration.ofSeconds(30);
  private CellCallback single;
  private BatchCallback together;
  private int batch = 1;
  private Duration batchWindow = Duration.ZERO;

  private Trigger(TriggerName name) {
    this.name = name;
  }

  /**
   * Begins with a name, which is the consumer group's as well.
   *
   * @throws IllegalArgumentException if it is not 1 to 64 letters, digits, - and _
   */
  public static Trigger named(String name) {
    return new Trigger(new TriggerName(name));
  }

  /** The columns whose cells are called with; all if none is named. */
  public Trigger on(String... names) {
    columns = List.of(names);
    return this;
  }

  /** Only cells that match; the others are done with. It must always say the same of a cell. */
  public Trigger matching(Predicate<TriggeredCell> cells) {
    filter = cells;
    return this;
  }

  /** The first data centre of a deployment. */
  public Trigger of(Deployment deployment) {
    return of(deployment.datacenter(Optional.empty()));
  }

  /** The data centre whose log is read. */
  public Trigger of(DataCenter of) {
    datacenter = of;
    return this;
  }

  /** Reads the topic of its one column, which the source fills, in place of the log. */
  public Trigger fromTopicOfColumn() {
    if (columns.size() != 1) {
      throw new IllegalArgumentException("columns: " + columns + ", a column's topic has one");
    }
    topic = columns.stream().findFirst();
    return this;
  }

  /** Within what cells are called one after the other; {@link Order#SHARD} if it is not said. */
  public Trigger ordered(Order within) {
    order = within;
    return this;
  }

  /** Where it begins when it is created; with the first record of the log if it is not said. */
  public Trigger startingAt(Start at) {
    start = at;
    return this;
  }

  /** Lets the beginning be the first record that the log still has. */
  public Trigger withWhatIsLeft() {
    whatIsLeft = true;
    return this;
  }

  /** How many callbacks run at once in this process, 8 if it is not said. */
  public Trigger threads(int count) {
    threads = positive("threads", count);
    return this;
  }

  /** After how many attempts a cell is parked, 10 if it is not said. */
  public Trigger attempts(int most) {
    attempts = positive("attempts", most);
    return this;
  }

  /** How long after its first failure a cell that fails is parked; a year if it is not said. */
  public Trigger age(Duration most) {
    age = positive("age", most);
    return this;
  }

  /** The time to the second attempt, which doubles from there on, and its bound: 100 ms, 1 min. */
  public Trigger backOff(Duration shortest, Duration longest) {
    shortestBackOff = positive("back-off", shortest);
    longestBackOff = positive("back-off", longest);
    return this;
  }

  /** The exceptions after which no other attempt is made. */
  public Trigger neverRetry(Collection<Class<? extends Exception>> failures) {
    neverRetried = List.copyOf(failures);
    return this;
  }

  /** Whether later cells of a row are parked behind one that is; they are if it is not said. */
  public Trigger rowsFollow(boolean follow) {
    rowsFollow = follow;
    return this;
  }

  /** Halts if over so many rows at least half fail within the window; 5 within 10 s. */
  public Trigger haltOn(int rows, Duration within) {
    haltRows = positive("halt rows", rows);
    window = positive("window", within);
    return this;
  }

  /** Most cells, and bytes of them, in memory: 20,000 and 64 MiB. */
  public Trigger memory(int cells, long bytes) {
    mostCells = positive("cells", cells);
    mostBytes = bytes;
    return this;
  }

  /** The longest time from a callback's end to its commit; 200 ms. */
  public Trigger commitEvery(Duration interval) {
    commitInterval = positive("commit interval", interval);
    return this;
  }

  /** After how long a silent process is taken for dead; 10 s. Bounded by the brokers' settings. */
  public Trigger session(Duration timeout) {
    session = positive("session", timeout);
    return this;
  }

  /** How long callbacks may run on when their partition goes to another process; 30 s. */
  public Trigger handOver(Duration most) {
    handOver = positive("hand-over", most);
    return this;
  }

  /** Calls with each cell. */
  public Trigger call(CellCallback callback) {
    single = callback;
    together = null;
    return this;
  }

  /**
   * Calls with several cells at once: of one shard, or in order by row, of a partition.
   *
   * @param size at most so many
   * @param within so long it is waited for more; zero to take what is there
   */
  public Trigger callBatch(int size, Duration within, BatchCallback callback) {
    batch = positive("batch", size);
    batchWindow = within;
    together = callback;
    single = null;
    return this;
  }

  /**
   * Creates the trigger if it is not there yet, and starts it in this process.
   *
   * @throws io.cellmesh.topics.trigger.TriggerRefusedException if it is there with another
   *     definition, or can't begin there
   * @throws IllegalArgumentException if no data centre or no callback was said
   * @throws org.apache.kafka.common.KafkaException if Kafka does not answer or refuses something
   */
  public RunningTrigger start() throws InterruptedException {
    if (datacenter == null) {
      throw new IllegalArgumentException("of: say which data centre");
    }
    if (single == null && together == null) {
      throw new IllegalArgumentException("call: say what to do with a cell");
    }
    var topics = datacenter.topology().topics();
    var definition =
        new Definition(topic.map(topics::trigger).orElse(topics.log()), columns, order, start);
    var kafka = datacenter.kafka();
    new TriggerRegistry(kafka, datacenter.topology()).create(name, definition, whatIsLeft);
    var options =
        new TriggerOptions(
            name,
            topics,
            datacenter.topology().shards(),
            kafka,
            definition,
            threads,
            haltRows,
            window,
            commitInterval,
            session,
            handOver,
            batchWindow);
    return assemble(options).start();
  }

  private RunningTrigger assemble(TriggerOptions options) {
    var vain = new ArrayList<>(neverRetried);
    vain.add(DamagedCellException.class);
    var retry = new Retry(attempts, age, shortestBackOff, longestBackOff, vain, new Random());
    var size = single == null ? BatchSize.of(batch) : BatchSize.measured();
    var settings =
        new Settings(
            order,
            threads,
            size,
            this::accepts,
            rowsFollow,
            (int) Math.max(1, window.toSeconds()),
            new Bounds(mostCells, mostBytes, KEPT_BEHIND_A_FAILED_CELL),
            retry);
    var dispatcher = new SharedDispatcher(new Dispatcher(settings), batch, batchWindow);
    var notebook = new Notebook(options.kafka(), name, options.topics().triggerState());
    var figures = new TriggerFigures();
    Function<Delivery, TriggeredCell> cells = CallbackThreads::cell;
    var call =
        single == null
            ? CallbackThreads.together(filteredBatches(together), cells)
            : CallbackThreads.each(filtered(single), cells);
    var callbacks =
        new CallbackThreads(name.text(), threads, dispatcher, notebook, call, size, figures);
    CellCallback one = filtered(single == null ? cell -> together.call(List.of(cell)) : single);
    var replays =
        new Replays(
            options, dispatcher, one, retry, figures, () -> Consumers.open(options.kafka()));
    var shards = options.shards().count();
    var members = new Members(options, new Halting(haltRows, order, shards), notebook);
    return new RunningTrigger(options, dispatcher, notebook, members, callbacks, replays, figures);
  }

  /** Whether a cell that was read may be for the callback. */
  boolean accepts(Delivery delivery) {
    return (columns.isEmpty() || columns.contains(delivery.column)) && mayMatch(delivery);
  }

  /**
   * A filter that fails fails again when it is the cell's turn, which is then treated as failed.
   */
  private boolean mayMatch(Delivery delivery) {
    try {
      return filter == null || filter.test(CallbackThreads.cell(delivery));
    } catch (RuntimeException | Error e) {
      return true;
    }
  }

  private boolean matches(TriggeredCell cell) {
    return filter == null || filter.test(cell);
  }

  private CellCallback filtered(CellCallback callback) {
    return cell -> {
      if (matches(cell)) {
        callback.call(cell);
      }
    };
  }

  private BatchCallback filteredBatches(BatchCallback callback) {
    return cells -> {
      var matching = cells.stream().filter(this::matches).toList();
      if (!matching.isEmpty()) {
        callback.call(matching);
      }
    };
  }

  private static int positive(String field, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(field + " = " + value + ": must be positive");
    }
    return value;
  }

  private static Duration positive(String field, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(field + " = " + value + ": must be positive");
    }
    return value;
  }
}
