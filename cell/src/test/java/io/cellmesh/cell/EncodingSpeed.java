package io.cellmesh.cell;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.Deflater;

/**
 * What it costs to turn a record into a cell, by stage. It is no test; run it by hand after {@code
 * ./mvnw -pl cell test-compile}, with cell's classes, test classes, Jackson and msgpack on the
 * class path. Each figure is CPU time, the median of seven runs after a warm-up, so that it holds
 * on a busy machine too.
 */
final class EncodingSpeed {
  private static final int SAMPLES = 512;
  private static final long RUN_NANOS = 150_000_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private EncodingSpeed() {}

  public static void main(String[] args) throws Exception {
    var make = new SampleCells(1);
    System.out.printf(
        Locale.ROOT,
        "%-28s %8s %10s %10s%n",
        "java " + Runtime.version().feature(),
        "ns",
        "B alloc'd",
        "B stored");
    stages("small", make::small, make);
    stages("trip", make::trip, make);
    stages("large", make::large, make);
  }

  private static void stages(String name, Supplier<String> body, SampleCells make)
      throws Exception {
    var samples =
        Stream.generate(() -> make.of(body.get()))
            .limit(SAMPLES)
            .toArray(SampleCells.Sample[]::new);
    var shards = new Shards(4096, 16);
    double json =
        Arrays.stream(samples).mapToInt(s -> Json.utf8(s.body()).length).average().orElse(0);
    System.out.printf(Locale.ROOT, "%s: %.0f B of JSON%n", name, json);
    try (var reader = new EnvelopeReader(EnvelopeReader.DEFAULT_BODY_LIMIT)) {
      line(
          "record to cell and shard",
          i -> {
            var cell = reader.readCell(samples[i].key(), samples[i].value());
            return shards.of(samples[i].key()) + cell.body().stored().length;
          },
          storedSize(reader, samples));
    }
    line(
        "  tokens alone",
        i -> {
          int tokens = 0;
          try (var parser = Json.parser(samples[i].value(), Json.FACTORY)) {
            while (parser.nextToken() != null) {
              tokens++;
            }
          }
          return tokens;
        },
        0);
    line("  shard of the key", i -> shards.of(samples[i].key()), 0);
    deflate("short", samples, new ShortDeflate()::deflate);
    for (int level : List.of(1, 3, 6)) {
      var deflater = new Deflater(level);
      deflate("level " + level, samples, (in, length, out, at) -> deflate(deflater, in, out));
      deflater.end();
    }
    var cells = new Cell[SAMPLES];
    var others = new Cell[SAMPLES];
    try (var reader = new EnvelopeReader(EnvelopeReader.DEFAULT_BODY_LIMIT)) {
      for (int i = 0; i < SAMPLES; i++) {
        cells[i] = reader.readCell(samples[i].key(), samples[i].value());
        others[i] = cell(reader, make.of(samples[i].body().replaceAll(":(\\d+)(?=[,}])", ":$1.0")));
      }
    }
    line("read back as JSON", i -> cells[i].body().toJson().length(), 0);
    line("compared with another", i -> cells[i].body().sameAs(others[i].body()) ? 1 : 0, 0);
  }

  private static void deflate(String name, SampleCells.Sample[] samples, Zlibber zlib)
      throws Exception {
    var bodies = new byte[SAMPLES][];
    var out = new byte[1 << 16];
    double size = 0;
    try (var reader = new EnvelopeReader(EnvelopeReader.DEFAULT_BODY_LIMIT)) {
      for (int i = 0; i < SAMPLES; i++) {
        bodies[i] = Inflation.once(cell(reader, samples[i]).body().stored(), 1, Body.MAX_INFLATED);
        size += 1.0 + zlib.deflate(bodies[i], bodies[i].length, out, 0);
      }
    }
    line("  zlib " + name, i -> zlib.deflate(bodies[i], bodies[i].length, out, 0), size / SAMPLES);
  }

  private static int deflate(Deflater deflater, byte[] body, byte[] out) {
    deflater.reset();
    deflater.setInput(body);
    deflater.finish();
    return deflater.deflate(out);
  }

  private static Cell cell(EnvelopeReader reader, SampleCells.Sample sample) throws Exception {
    return reader.readCell(sample.key(), sample.value());
  }

  private static double storedSize(EnvelopeReader reader, SampleCells.Sample[] samples)
      throws Exception {
    double size = 0;
    for (var sample : samples) {
      size += cell(reader, sample).body().stored().length;
    }
    return size / samples.length;
  }

  private static void line(String name, Stage stage, double size) throws Exception {
    var nanos = new double[7];
    for (int warm = 0; warm < 6; warm++) {
      nanosEach(stage);
    }
    long before = allocated();
    stageOnce(stage);
    double allocated = (double) (allocated() - before) / SAMPLES;
    for (int run = 0; run < nanos.length; run++) {
      nanos[run] = nanosEach(stage);
    }
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%-28s %8.0f %10.0f %10s%n",
        name,
        nanos[nanos.length / 2],
        allocated,
        size == 0 ? "" : String.format(Locale.ROOT, "%.1f", size));
  }

  private static double nanosEach(Stage stage) throws Exception {
    long start = cpuNanos();
    long calls = 0;
    while (cpuNanos() - start < RUN_NANOS) {
      stageOnce(stage);
      calls += SAMPLES;
    }
    return (double) (cpuNanos() - start) / calls;
  }

  private static void stageOnce(Stage stage) throws Exception {
    int sum = 0;
    for (int i = 0; i < SAMPLES; i++) {
      sum += stage.run(i);
    }
    if (sum == 42) {
      System.out.print("");
    }
  }

  private static long cpuNanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  private static long allocated() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  @FunctionalInterface
  private interface Stage {
    int run(int sample) throws Exception;
  }

  @FunctionalInterface
  private interface Zlibber {
    int deflate(byte[] in, int length, byte[] out, int at);
  }
}
