package io.cellmesh.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What a run of the worker node's measurement found.
 *
 * @param writes at one rate after the other
 */
public record WorkerFigures(
    Surroundings surroundings,
    WorkerPlan plan,
    List<Reads> reads,
    Memory memory,
    Idle idle,
    List<Writes> writes) {
  public WorkerFigures {
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
  }

  /**
   * A question's rounds.
   *
   * @param plain by JDBC, as fast as answers come
   * @param worker the same over HTTP
   * @param plainPaced at a steady rate
   * @param plainCost of answers that come as fast as they can, as the next
   */
  public record Reads(
      Question question,
      List<AskedRound> plain,
      List<AskedRound> worker,
      List<AskedRound> plainPaced,
      List<AskedRound> workerPaced,
      Cost plainCost,
      Cost workerCost) {
    public Reads {
      plain = List.copyOf(plain);
      worker = List.copyOf(worker);
      plainPaced = List.copyOf(plainPaced);
      workerPaced = List.copyOf(workerPaced);
    }

    /** How many questions a second the worker answers, in terms of plain JDBC. */
    public double ratio() {
      return median(worker, AskedRound::perSecond) / median(plain, AskedRound::perSecond);
    }
  }

  /**
   * Cells that were written.
   *
   * @param rate a second
   * @param sink from a producer's send to the committed row, without a worker node
   * @param rounds the same through it, by how long the answer waits
   */
  public record Writes(int rate, LatencyFigures sink, Map<Question, AskedRound> rounds) {
    public Writes {
      rounds = Map.copyOf(rounds);
    }
  }

  /**
   * Processor time of an answer, in microseconds.
   *
   * @param masters of all MySQL servers
   * @param node of the worker node, with what its compilers still have to do
   */
  public record Cost(double masters, double node) {}

  /** The heap after a collection and all that is resident, before and after many requests. */
  public record Memory(long heapBefore, long heapAfter, long residentBefore, long residentAfter) {}

  /**
   * Connections that were kept open.
   *
   * @param heap bytes that the worker keeps for all of them
   * @param meanwhile questions of others
   */
  public record Idle(int connections, long heap, AskedRound meanwhile) {}

  /** The median of rounds. */
  public static double median(List<AskedRound> rounds, ToDoubleFunction<AskedRound> figure) {
    return Statistics.median(rounds.stream().mapToDouble(figure).toArray());
  }

  /** The result for machines: answers a second, milliseconds, bytes. */
  public Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("name", "worker");
    for (var of : reads) {
      var name = of.question().name().toLowerCase(Locale.ROOT);
      document.put(name + "_plain", Math.round(median(of.plain(), AskedRound::perSecond)));
      document.put(name + "_worker", Math.round(median(of.worker(), AskedRound::perSecond)));
      document.put(name + "_ratio", rounded(of.ratio()));
      document.put(name + "_plain_mysql_us", Math.round(of.plainCost().masters()));
      document.put(name + "_worker_mysql_us", Math.round(of.workerCost().masters()));
      document.put(name + "_worker_us", Math.round(of.workerCost().node()));
      document.put(name + "_plain_p50_ms", rounded(median(of.plainPaced(), AskedRound::p50)));
      document.put(name + "_worker_p50_ms", rounded(median(of.workerPaced(), AskedRound::p50)));
      document.put(name + "_plain_p99_ms", rounded(median(of.plainPaced(), AskedRound::p99)));
      document.put(name + "_worker_p99_ms", rounded(median(of.workerPaced(), AskedRound::p99)));
    }
    document.put("heap_before", memory.heapBefore());
    document.put("heap_after", memory.heapAfter());
    document.put("idle_connections", idle.connections());
    document.put("idle_heap", idle.heap());
    for (var at : writes) {
      document.put("sink_%d_p50_ms".formatted(at.rate()), rounded(at.sink().p50()));
      at.rounds()
          .forEach(
              (question, round) -> {
                var name =
                    "put_%s_%d".formatted(question.name().toLowerCase(Locale.ROOT), at.rate());
                document.put(name + "_p50_ms", rounded(round.p50()));
                document.put(name + "_p99_ms", rounded(round.p99()));
              });
    }
    return document;
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
