package io.cellmesh.devstack;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * Runs a stack until Ctrl-C: {@code DevStackMain [STATE_DIR [DATACENTERS]]}. The same stack is what
 * the tests start.
 */
public final class DevStackMain {
  private DevStackMain() {}

  public static void main(String[] args) throws InterruptedException {
    var options = Options.defaults();
    if (args.length > 0) {
      options = options.withStateDir(Path.of(args[0]));
    }
    if (args.length > 1) {
      options = options.withDatacenters(Integer.parseInt(args[1]));
    }
    options = options.withPlugins(CellmeshHome.plugins(CellmeshHome.dir()));
    var out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    try (var stack = DevStack.start(options, out::println)) {
      out.println("endpoints: " + stack.stateDir().resolve(Endpoints.FILE));
      out.println("logs: " + stack.stateDir().resolve("logs"));
      out.println("Ctrl-C stops everything");
      new CountDownLatch(1).await();
    }
  }
}
