package io.cellmesh.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Where a worker's time went.
 *
 * @param threads processor seconds of its threads, the busiest first
 * @param packages share of the samples whose topmost frame lies in the package
 * @param frames share of the samples whose topmost frame it is
 * @param nearest share of the samples by the contestant's own method that the topmost frame was
 *     called from, directly or through others' code
 * @param within share of the samples with the contestant's own method anywhere in the stack
 */
public record Profile(
    String name,
    Round round,
    List<ThreadUse> threads,
    int samples,
    List<Share> packages,
    List<Share> frames,
    List<Share> nearest,
    List<Share> within) {
  private static final int MOST = 25;

  /** A part of all samples, from 0 to 1. */
  public record Share(String what, double share) {}

  /** One sample: a thread's frames, the innermost first, each {@code package.Class.method}. */
  record Sample(List<String> frames) {
    /** Without the names that the compiler makes up for lambdas. */
    Stream<String> own(String prefix) {
      return frames.stream().filter(f -> f.startsWith(prefix) && !f.contains("$$Lambda"));
    }
  }

  /**
   * @param own how the names of the contestant's own code begin
   */
  static Profile of(String name, Round round, List<ThreadUse> threads, Path recording, String own)
      throws IOException {
    var samples = new ArrayList<Sample>();
    try (var file = new RecordingFile(recording)) {
      while (file.hasMoreEvents()) {
        var event = file.readEvent();
        if (isSample(event)) {
          samples.add(sample(event));
        }
      }
    }
    return of(name, round, threads, samples, own);
  }

  static Profile of(
      String name, Round round, List<ThreadUse> threads, List<Sample> samples, String own) {
    return new Profile(
        name,
        round,
        threads.stream().filter(thread -> thread.seconds() >= 0.05).limit(MOST).toList(),
        samples.size(),
        shares(samples, s -> List.of(packageOf(s.frames.get(0)))),
        shares(samples, s -> List.of(s.frames.get(0))),
        shares(samples, s -> s.own(own).limit(1).toList()),
        shares(samples, s -> s.own(own).collect(Collectors.toSet())));
  }

  private static List<Share> shares(
      List<Sample> samples, Function<Sample, Iterable<String>> names) {
    Map<String, Integer> counts = new HashMap<>();
    for (var sample : samples) {
      names.apply(sample).forEach(name -> counts.merge(name, 1, Integer::sum));
    }
    return counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Integer>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(MOST)
        .map(e -> new Share(e.getKey(), e.getValue() / (double) samples.size()))
        .toList();
  }

  private static String packageOf(String frame) {
    int method = frame.lastIndexOf('.');
    return frame.substring(0, Math.max(0, frame.lastIndexOf('.', method - 1)));
  }

  /** Native code is sampled as well; of it only what computes, not what waits. */
  private static boolean isSample(RecordedEvent event) {
    var stack = event.getStackTrace();
    if (stack == null || stack.getFrames().isEmpty()) {
      return false;
    }
    return switch (event.getEventType().getName()) {
      case "jdk.ExecutionSample" -> true;
      case "jdk.NativeMethodSample" ->
          stack.getFrames().get(0).getMethod().getType().getName().startsWith("java.util.zip.");
      default -> false;
    };
  }

  private static Sample sample(RecordedEvent event) {
    return new Sample(
        event.getStackTrace().getFrames().stream()
            .map(f -> f.getMethod().getType().getName() + "." + f.getMethod().getName())
            .toList());
  }
}
