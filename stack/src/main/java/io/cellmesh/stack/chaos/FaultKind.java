package io.cellmesh.stack.chaos;

import io.cellmesh.devstack.Disk;
import io.cellmesh.devstack.dist.FakeTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** What can be done to a stack. A master holds the copies of other clusters: it is a secondary. */
public enum FaultKind {
  MASTER_KILL("master-kill", 3, Clock.RETURN, 2, 10, 20, "a master dies and is started again"),
  MASTER_STOP("master-stop", 1, Clock.RETURN, 4, 15, 20, "a master hangs (SIGSTOP) and goes on"),
  MASTER_RESTART("master-restart", 1, Clock.RETURN, 1, 4, 20, "a master is shut down and started"),
  MASTER_LOST(
      "master-lost",
      2,
      Clock.COMMAND,
      1,
      5,
      45,
      "a master dies for good, its minion is promoted, a new minion added"),
  HAND_OVER("hand-over", 1, Clock.COMMAND, 0, 1, 30, "the minion of a living master is promoted"),
  MINION_KILL("minion-kill", 1, Clock.RETURN, 1, 8, 20, "a minion dies and is started again"),
  MINION_STOP("minion-stop", 1, Clock.RETURN, 4, 15, 20, "a minion hangs and goes on"),
  WORKER_KILL("worker-kill", 3, Clock.BLOW, 0, 0, 60, "a Connect worker dies, others take over"),
  WORKER_STOP("worker-stop", 1, Clock.RETURN, 2, 20, 45, "a Connect worker hangs and goes on"),
  WORKER_RESTART("worker-restart", 1, Clock.RETURN, 0, 2, 45, "a Connect worker is restarted"),
  PULSE("pulse", 3, Clock.RETURN, 4, 15, 20, "any process is stopped and goes on, many times"),
  BROKER_STOP("broker-stop", 1, Clock.RETURN, 1, 8, 30, "the broker hangs and goes on"),
  BROKER_KILL("broker-kill", 1, Clock.RETURN, 0, 3, 60, "the broker dies and is started again"),
  BROKER_RESTART("broker-restart", 1, Clock.RETURN, 0, 1, 60, "the broker is restarted"),
  MASTER_FULL(
      "master-full", 1, Clock.RETURN, 3, 30, 90, "a master's disk is full, then it has room"),
  MINION_FULL(
      "minion-full", 1, Clock.RETURN, 3, 30, 90, "a minion's disk is full, then it has room"),
  BROKER_FULL(
      "broker-full", 1, Clock.RETURN, 2, 10, 60, "a broker's disk is full, then it has room"),
  MINION_RESTORED(
      "minion-restored", 1, Clock.RETURN, 5, 15, 45, "a minion comes back from an old backup"),
  MASTER_RESTORED(
      "master-restored",
      1,
      Clock.COMMAND,
      5,
      15,
      60,
      "a master comes back from an old backup, is not opened, its minion is promoted"),
  CLOCK("clock", 1, Clock.RETURN, 5, 15, 45, "a MySQL server has its clock off by minutes"),
  CUT("cut", 2, Clock.BLOW, 0, 0, 20, "every connection to a server is cut"),
  ONE_WAY(
      "one-way", 2, Clock.RETURN, 2, 15, 20, "in one direction nothing passes a server's network"),
  SLOW_PATH("slow-path", 1, Clock.RETURN, 4, 15, 20, "a server's network delays and throttles"),
  BROKER_CUT("broker-cut", 1, Clock.BLOW, 0, 0, 20, "every connection to a broker is cut"),
  BROKER_ONE_WAY(
      "broker-one-way",
      1,
      Clock.RETURN,
      2,
      8,
      30,
      "in one direction nothing passes a broker's network"),
  BROKER_SLOW("broker-slow", 1, Clock.RETURN, 4, 15, 30, "a broker's network delays and throttles"),
  DISK("disk", 1, Clock.RETURN, 3, 10, 30, "a master's files can't grow any more, then they can"),
  NODE_KILL(
      "node-kill", 1, Clock.RETURN, 0, 6, 10, "a worker that serves HTTP dies and is started"),
  NODE_STOP("node-stop", 1, Clock.RETURN, 1, 10, 10, "a worker that serves HTTP hangs and goes on"),
  NODE_RESTART("node-restart", 1, Clock.RETURN, 0, 2, 10, "a worker that serves HTTP is restarted"),
  INDEX_KILL("index-kill", 1, Clock.RETURN, 1, 8, 10, "index-streams dies and is started again"),
  INDEX_STOP("index-stop", 1, Clock.RETURN, 2, 15, 10, "index-streams hangs and goes on"),
  INDEX_RESTART("index-restart", 1, Clock.RETURN, 0, 2, 10, "index-streams is restarted"),
  TRIGGER_KILL("trigger-kill", 1, Clock.RETURN, 1, 8, 10, "a trigger dies and is started again"),
  TRIGGER_STOP("trigger-stop", 1, Clock.RETURN, 2, 15, 10, "a trigger hangs and goes on"),
  TRIGGER_RESTART("trigger-restart", 1, Clock.RETURN, 0, 2, 10, "a trigger is restarted"),
  HERB_KILL("herb-kill", 1, Clock.RETURN, 1, 8, 30, "a herb-replicator dies and is started again"),
  HERB_STOP("herb-stop", 1, Clock.RETURN, 2, 15, 30, "a herb-replicator hangs and goes on"),
  HERB_RESTART("herb-restart", 1, Clock.RETURN, 0, 2, 30, "a herb-replicator is restarted"),
  DC_KILL(
      "dc-kill", 1, Clock.RETURN, 60, 120, 120, "a whole data centre dies and is started again"),
  DC_STOP("dc-stop", 1, Clock.RETURN, 60, 120, 120, "a whole data centre hangs and goes on"),
  DC_CUT("dc-cut", 1, Clock.RETURN, 60, 120, 60, "a data centre is cut off from the others");

  private final String label;
  private final int weight;
  private final Clock clock;
  private final int shortest;
  private final int longest;
  private final int bound;
  private final String text;

  FaultKind(
      String label, int weight, Clock clock, int shortest, int longest, int bound, String text) {
    this.label = label;
    this.weight = weight;
    this.clock = clock;
    this.shortest = shortest;
    this.longest = longest;
    this.bound = bound;
    this.text = text;
  }

  /** From when on the recovery counts. */
  public enum Clock {
    /** Nobody mends anything: others take over, or connect again. */
    BLOW("the blow"),
    /** What was struck is up again and, a master, open. */
    RETURN("its return"),
    /** {@code cellmesh promote} was given. */
    COMMAND("the command");

    private final String text;

    Clock(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** As it is written in {@code --faults}. */
  public String label() {
    return label;
  }

  /** What happens, for help texts. */
  public String text() {
    return text;
  }

  public Clock clock() {
    return clock;
  }

  /**
   * How long cells may be late after {@link #clock}, on a machine that has nothing else to do. Of
   * faults that overlap the longest counts.
   */
  public Duration bound() {
    return Duration.ofSeconds(bound);
  }

  /**
   * Whether it takes a broker away. Where no other stands in, as one of three does, Kafka forgets
   * to end transactions whose partitions have no leader while their coordinator starts ({@code
   * KRaftMetadataCache.getPartitionLeaderEndpoint} of 4.3.1 answers as for a deleted one), and then
   * nobody reads on behind them: sources must not be exactly-once.
   */
  public boolean endsBroker() {
    return this == BROKER_KILL || this == BROKER_RESTART || this == BROKER_FULL || this == DC_KILL;
  }

  /** Whether it takes a second data centre. */
  public boolean needsPeers() {
    return this == HERB_KILL || this == HERB_STOP || this == HERB_RESTART || takesDataCenter();
  }

  /** Whether a whole data centre is away for the others. */
  public boolean takesDataCenter() {
    return this == DC_KILL || this == DC_STOP || this == DC_CUT;
  }

  /** Whether a server takes another one's place. */
  boolean promotes() {
    return this == MASTER_LOST || this == HAND_OVER || this == MASTER_RESTORED;
  }

  /** How often it comes beside the others. */
  int weight() {
    return weight;
  }

  /** For how long it lasts at least. */
  Duration shortest() {
    return Duration.ofSeconds(shortest);
  }

  /** For how long it lasts at most. */
  Duration longest() {
    return Duration.ofSeconds(longest);
  }

  /** Whether servers need a disk of their own for it. */
  boolean needsDisks() {
    return this == MASTER_FULL || this == MINION_FULL || this == BROKER_FULL;
  }

  /** What this machine lacks for it; empty if it lacks nothing. */
  Optional<String> missing() {
    if (this == DISK) {
      return FileLimit.isPossible()
          ? Optional.empty()
          : Optional.of("it needs Linux and prlimit (util-linux)");
    }
    if (this == CLOCK) {
      return FakeTime.missing();
    }
    return needsDisks() ? Disk.missing() : Optional.empty();
  }

  /** Empty if there is none of that label. */
  public static Optional<FaultKind> of(String label) {
    return Arrays.stream(values()).filter(kind -> kind.label.equals(label)).findFirst();
  }

  /** All labels, for messages. */
  public static String labels() {
    return Arrays.stream(values()).map(FaultKind::label).collect(Collectors.joining(", "));
  }
}
