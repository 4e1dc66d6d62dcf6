package io.cellmesh.devstack.dist;

import io.cellmesh.devstack.DevStackException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Clocks that are apart, for single processes of a machine: libfaketime, the system's own or
 * Debian's, which is unpacked into the cache and not installed.
 */
public final class FakeTime {
  private static final String LIBRARY = "libfaketime.so.1";

  private FakeTime() {}

  /**
   * What this machine lacks for it.
   *
   * @return a reason for a person; empty if it lacks nothing
   */
  public static Optional<String> missing() {
    if (!OperatingSystem.isLinux()) {
      return Optional.of("clocks that are apart need Linux");
    }
    try {
      library();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("clocks that are apart need libfaketime: " + e.getMessage());
    }
  }

  /**
   * What a process needs in its environment to have another time of day; how long something takes
   * it measures as before.
   *
   * @param ahead of the machine's clock; negative for behind
   * @throws DevStackException if the library can't be had
   */
  public static Map<String, String> environment(Duration ahead) {
    try {
      var environment = new HashMap<String, String>();
      environment.put("LD_PRELOAD", library().toString());
      environment.put("FAKETIME", "%+d".formatted(ahead.toSeconds()));
      environment.put("DONT_FAKE_MONOTONIC", "1");
      environment.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
      // Else each wait of InnoDB's, which measures by that clock, ends at once.
      environment.put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
      return environment;
    } catch (IOException e) {
      throw new DevStackException("no libfaketime: " + e.getMessage(), e);
    }
  }

  private static Path library() throws IOException {
    var installed = Path.of("/usr/lib/x86_64-linux-gnu/faketime", LIBRARY);
    if (Files.exists(installed)) {
      return installed;
    }
    if (!AptPackages.available()) {
      throw new IOException("there is no apt-get to fetch it with");
    }
    var dir =
        Cache.ofUser()
            .directory(
                "lib-faketime",
                empty -> new AptPackages(empty).unpackFirst(List.of("libfaketime")));
    try (var files = Files.find(dir, 8, (path, a) -> path.endsWith(LIBRARY))) {
      return files
          .findFirst()
          .orElseThrow(() -> new IOException("the package does not hold " + LIBRARY));
    }
  }
}
