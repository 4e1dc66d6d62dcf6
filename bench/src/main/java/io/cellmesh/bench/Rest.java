package io.cellmesh.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a worker uses while nothing happens. */
final class Rest {
  /** After the quiet, so that no measuring begins with what a stopped connector still does. */
  private static final long SETTLE_MILLIS = 2000;

  private static final int PATIENCE_SECONDS = 15;

  private final LogServers servers;
  private final Duration measured;

  /**
   * @param measured how long to watch
   */
  Rest(LogServers servers, Duration measured) {
    this.servers = servers;
    this.measured = measured;
  }

  /** First with all connectors stopped, then with each of them; all are stopped now and then. */
  List<RestFigures> measure(List<LogHarness> harnesses) throws InterruptedException {
    var figures = new ArrayList<RestFigures>();
    figures.add(measure("no connector"));
    for (var harness : harnesses) {
      harness.run();
      figures.add(measure(harness.source().name()));
      harness.rest();
    }
    return figures;
  }

  private RestFigures measure(String name) throws InterruptedException {
    Processor.awaitQuiet(PATIENCE_SECONDS);
    Thread.sleep(SETTLE_MILLIS);
    var clock = Processor.watch(servers.stack());
    Thread.sleep(measured.toMillis());
    var round = clock.round(0);
    double used = round.cpu().get(servers.stack().worker(Servers.DATACENTER).name());
    return new RestFigures(name, round.seconds(), 100 * used / round.seconds());
  }
}
