package io.cellmesh.bench;

import io.cellmesh.devstack.Progress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A worker node beside plain JDBC: the same questions, asked of the same servers in turn. */
public final class WorkerBench {
  /** Of questions, a second. */
  static final int RATE = 1000;

  /** Of writes: one that a small machine bears, and one that keeps two processors busy. */
  private static final List<Integer> WRITE_RATES = List.of(250, Latency.RATE);

  /** Writes wait longer than reads, so more are under way at this rate. */
  private static final int WRITERS = 64;

  private final WorkerPlan plan;
  private final ShippedConnector shipped;
  private final Progress progress;

  public WorkerBench(WorkerPlan plan, ShippedConnector shipped, Progress progress) {
    this.plan = plan;
    this.shipped = shipped;
    this.progress = progress;
  }

  public WorkerFigures run() throws Exception {
    try (var servers = WorkerServers.start(shipped, progress)) {
      return new Run(servers).run();
    }
  }

  /** Over servers that are up. */
  private final class Run {
    private final WorkerServers servers;
    private final AskingThreads plain;
    private final AskingThreads http;

    Run(WorkerServers servers) {
      this.servers = servers;
      this.plain = new AskingThreads(servers.plain(), plan.threads());
      this.http = new AskingThreads(servers.overHttp(), plan.threads());
    }

    WorkerFigures run() throws Exception {
      var around =
          Surroundings.of(servers.sink().master(0), Map.of())
              .and("Cellmesh", servers.sink().stack(), "CellSinkConnector");
      progress.step("warm-up");
      for (var question : Question.READS) {
        plain.fast(question, plan.seconds());
        // Its compilers share two processors with everybody else.
        http.fast(question, 4 * plan.seconds());
      }
      var reads = new ArrayList<WorkerFigures.Reads>();
      for (var question : Question.READS) {
        reads.add(reads(question));
      }
      var memory = memory();
      var idle = idle();
      // First all that is to find the topic with no cells but its own.
      var sink = new ArrayList<LatencyFigures>();
      for (int rate : WRITE_RATES) {
        sink.add(new Latency(servers.sink(), servers.harness(), progress, rate).measure());
      }
      var writes = new ArrayList<WorkerFigures.Writes>();
      for (var without : sink) {
        writes.add(writes(without));
      }
      return new WorkerFigures(around, plan, reads, memory, idle, writes);
    }

    /** Who is first in one round is second in the next. */
    private WorkerFigures.Reads reads(Question question) throws Exception {
      var sides = new EnumMap<Side, List<AskedRound>>(Side.class);
      var paced = new EnumMap<Side, List<AskedRound>>(Side.class);
      var costs = new EnumMap<Side, Costs>(Side.class);
      for (var side : Side.values()) {
        costs.put(side, new Costs());
      }
      for (int round = 0; round < plan.rounds(); round++) {
        for (int i = 0; i < 2; i++) {
          var side = Side.values()[(round + i) % 2];
          var asking = side == Side.PLAIN ? plain : http;
          Processor.awaitQuiet();
          costs.get(side).begin();
          var fast = asking.fast(question, plan.seconds());
          costs.get(side).end(fast.count());
          sides.computeIfAbsent(side, s -> new ArrayList<>()).add(fast);
          var slow = asking.paced(question, RATE, plan.seconds());
          paced.computeIfAbsent(side, s -> new ArrayList<>()).add(slow);
          progress.step(
              "%s, %s: %s; at %,d/s %s".formatted(question.text(), side.text(), fast, RATE, slow));
        }
      }
      return new WorkerFigures.Reads(
          question,
          sides.get(Side.PLAIN),
          sides.get(Side.WORKER),
          paced.get(Side.PLAIN),
          paced.get(Side.WORKER),
          costs.get(Side.PLAIN).each(),
          costs.get(Side.WORKER).each());
    }

    /** Processor time over several rounds. */
    private final class Costs {
      private double masters;
      private double node;
      private long answers;

      void begin() {
        masters -= masters();
        node -= Processor.seconds(servers.worker().pid());
      }

      void end(long count) {
        masters += masters();
        node += Processor.seconds(servers.worker().pid());
        answers += count;
      }

      WorkerFigures.Cost each() {
        return new WorkerFigures.Cost(masters * 1e6 / answers, node * 1e6 / answers);
      }

      private double masters() {
        return IntStream.range(0, OurSink.MASTERS)
            .mapToDouble(owner -> Processor.seconds(servers.sink().master(owner).pid()))
            .sum();
      }
    }

    private WorkerFigures.Memory memory() throws Exception {
      progress.step("%,d requests more".formatted(plan.requests()));
      var memory = new JvmMemory(servers.worker().pid());
      long heap = memory.heapAfterGc();
      long resident = memory.resident();
      http.times(Question.LATEST, plan.requests());
      return new WorkerFigures.Memory(heap, memory.heapAfterGc(), resident, memory.resident());
    }

    private WorkerFigures.Idle idle() throws Exception {
      progress.step("%,d idle connections".formatted(plan.connections()));
      var memory = new JvmMemory(servers.worker().pid());
      long before = memory.heapAfterGc();
      var open = new ArrayList<HttpAsker>();
      try {
        for (int i = 0; i < plan.connections(); i++) {
          open.add(new HttpAsker(servers.port()));
          open.get(i).ask(Question.CELL, i);
        }
        var meanwhile = http.paced(Question.LATEST, RATE, plan.seconds());
        // What a server keeps for calls that come again is there from the second one on.
        for (int i = 0; i < open.size(); i++) {
          open.get(i).ask(Question.CELL, i);
        }
        long with = memory.heapAfterGc();
        return new WorkerFigures.Idle(open.size(), with - before, meanwhile);
      } finally {
        for (var connection : open) {
          connection.close();
        }
      }
    }

    private WorkerFigures.Writes writes(LatencyFigures sink) throws Exception {
      int rate = sink.rate();
      var writers = new AskingThreads(servers.overHttp(), WRITERS);
      var rounds = new EnumMap<Question, AskedRound>(Question.class);
      servers.harness().run();
      for (var question : List.of(Question.ACCEPTED, Question.VISIBLE)) {
        progress.step("%s, at %,d/s".formatted(question.text(), rate));
        writers.paced(question, rate, 2 * plan.seconds());
        rounds.put(question, writers.paced(question, rate, 2 * plan.seconds()));
      }
      servers.harness().rest();
      return new WorkerFigures.Writes(rate, sink, rounds);
    }
  }

  private enum Side {
    PLAIN("plain JDBC"),
    WORKER("worker");

    private final String text;

    Side(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }
}
