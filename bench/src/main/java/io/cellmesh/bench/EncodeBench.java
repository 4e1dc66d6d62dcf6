package io.cellmesh.bench;

import com.sun.management.ThreadMXBean;
import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.Shards;
import io.cellmesh.devstack.Progress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.InflaterOutputStream;

/**
 * What a record costs on its way to a stored cell and back, by stage, in one thread and without
 * servers. Processor time of that thread alone, so that it holds on a busy machine.
 */
public final class EncodeBench {
  private static final int SAMPLES = 512;
  private static final int WARM_UPS = 6;
  private static final int RUNS = 7;
  private static final long RUN_NANOS = 150_000_000;
  private static final List<Integer> LEVELS = List.of(1, 3, 6);

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Progress progress;
  private final List<EncodeFigures.Stage> stages = new ArrayList<>();

  /** What the stages returned, so that no compiler finds them to be of no use. */
  private volatile long returned;

  public EncodeBench(Progress progress) {
    this.progress = progress;
  }

  /** Something that is done to a sample. */
  @FunctionalInterface
  private interface SampleWork {
    int run(int sample) throws Exception;
  }

  /** Takes about fifteen seconds. */
  public EncodeFigures run() throws Exception {
    var samples = new ArrayList<BenchCell>();
    var trips = new TripCells(1);
    for (int i = 0; i < SAMPLES; i++) {
      samples.add(trips.next());
    }
    var keys = samples.stream().map(BenchCell::key).toList();
    var values = samples.stream().map(BenchCell::envelope).toList();
    try (var reader = new EnvelopeReader(EnvelopeReader.DEFAULT_BODY_LIMIT)) {
      var cells = new ArrayList<Cell>();
      var others = new ArrayList<Cell>();
      for (int i = 0; i < SAMPLES; i++) {
        cells.add(reader.readCell(keys.get(i), values.get(i)));
        others.add(reader.readCell(keys.get(i), spelledOtherwise(samples.get(i)).envelope()));
      }
      var shards = new Shards(4096, 16);
      measure(
          "record to cell and shard",
          mean(cells.stream().map(cell -> cell.body().stored()).toList()),
          i -> {
            var cell = reader.readCell(keys.get(i), values.get(i));
            return shards.of(keys.get(i)) + cell.body().stored().length;
          });
      measure("its shard alone", 0, i -> shards.of(keys.get(i)));
      peers(cells);
      measure("stored to JSON", 0, i -> cells.get(i).body().toJson().length());
      measure(
          "compared with an equal one, spelled otherwise",
          0,
          i -> cells.get(i).body().sameAs(others.get(i).body()) ? 1 : 0);
    }
    return new EncodeFigures(
        Machine.here(), Runtime.version().toString(), mean(values), List.copyOf(stages));
  }

  /** The same value, with a number that is written in another way. */
  private static BenchCell spelledOtherwise(BenchCell cell) {
    var body = cell.body().replaceFirst(":(\\d+),", ":$1.0,");
    return new BenchCell(cell.rowKey(), cell.columnName(), cell.refKey(), body);
  }

  /** What zlib's own levels do with the MessagePack of the same bodies, without the parsing. */
  private void peers(List<Cell> cells) throws Exception {
    var packed = new ArrayList<byte[]>();
    for (var cell : cells) {
      packed.add(inflated(cell.body()));
    }
    var out = new byte[1 << 16];
    for (int level : LEVELS) {
      var deflater = new Deflater(level);
      SampleWork deflate =
          i -> {
            deflater.reset();
            deflater.setInput(packed.get(i));
            deflater.finish();
            return deflater.deflate(out);
          };
      long size = 0;
      for (int i = 0; i < SAMPLES; i++) {
        size += 1 + deflate.run(i);
      }
      measure("zlib level " + level + " alone", (double) size / SAMPLES, deflate);
      deflater.end();
    }
  }

  private static byte[] inflated(Body body) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var inflater = new InflaterOutputStream(bytes)) {
      inflater.write(body.stored(), 1, body.stored().length - 1);
    }
    return bytes.toByteArray();
  }

  private static double mean(List<byte[]> arrays) {
    return arrays.stream().mapToInt(array -> array.length).average().orElse(0);
  }

  private void measure(String name, double stored, SampleWork work) throws Exception {
    progress.step(name);
    for (int run = 0; run < WARM_UPS; run++) {
      nanosEach(work);
    }
    long before = THREADS.getCurrentThreadAllocatedBytes();
    all(work);
    double allocated = (double) (THREADS.getCurrentThreadAllocatedBytes() - before) / SAMPLES;
    var nanos = new double[RUNS];
    for (int run = 0; run < RUNS; run++) {
      nanos[run] = nanosEach(work);
    }
    stages.add(new EncodeFigures.Stage(name, Statistics.median(nanos), allocated, stored));
  }

  private double nanosEach(SampleWork work) throws Exception {
    long start = THREADS.getCurrentThreadCpuTime();
    long used = 0;
    for (long done = SAMPLES; ; done += SAMPLES) {
      all(work);
      used = THREADS.getCurrentThreadCpuTime() - start;
      if (used >= RUN_NANOS) {
        return (double) used / done;
      }
    }
  }

  private void all(SampleWork work) throws Exception {
    long sum = 0;
    for (int i = 0; i < SAMPLES; i++) {
      sum += work.run(i);
    }
    returned = sum;
  }
}
