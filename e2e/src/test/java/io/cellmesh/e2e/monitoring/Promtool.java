package io.cellmesh.e2e.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Prometheus's own tool, where there is one: in {@code -Dcellmesh.prometheus=DIR} or on the PATH.
 * Without installing it: {@code apt-get download prometheus && dpkg -x prometheus_*.deb DIR}.
 */
final class Promtool {
  private Promtool() {}

  /** Runs it; what it does not find right fails the test. */
  static void run(String... arguments) throws IOException, InterruptedException {
    var tool = find("promtool");
    assumeThat(tool)
        .as("promtool: install Prometheus, or say -Dcellmesh.prometheus=DIR")
        .isPresent();
    var command = new ArrayList<>(List.of(tool.orElseThrow().toString()));
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  /** A program of Prometheus's. */
  static Optional<Path> find(String program) {
    var places =
        Stream.concat(
            Stream.ofNullable(System.getProperty("cellmesh.prometheus")),
            Arrays.stream(System.getenv("PATH").split(File.pathSeparator)));
    return places.map(place -> Path.of(place, program)).filter(Files::isExecutable).findFirst();
  }
}
