package io.cellmesh.health;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** The options by which an application says how it is, the same for each. */
public final class HealthOptions {
  @Option(
      names = "--health-port",
      paramLabel = "PORT",
      description =
          "Answer on this port: GET /health with 200 if all is at work, else 503, and a JSON object "
              + "that says how everything is and why; GET /metrics with the figures in Prometheus's "
              + "format.")
  private Optional<Integer> port = Optional.empty();

  @Option(
      names = "--health-bind",
      paramLabel = "ADDRESS",
      description =
          "Listen for them on this address, such as 0.0.0.0 where a Prometheus on another machine is "
              + "to ask; nobody has to sign on there (default: the loopback interface).")
  private Optional<InetAddress> bind = Optional.empty();

  /**
   * Starts to answer if a port is given, as long as the process lives.
   *
   * @throws IOException if it can't listen there
   */
  public Optional<HealthServer> answer(Supplier<? extends Health> health) throws IOException {
    if (port.isEmpty()) {
      return Optional.empty();
    }
    var at = new InetSocketAddress(bind.orElseGet(InetAddress::getLoopbackAddress), port.get());
    try {
      var server = HealthServer.start(at, health);
      log()
          .info(
              "Health: http://{}:{}/health",
              at.getAddress().getHostAddress(),
              server.address().getPort());
      return Optional.of(server);
    } catch (IOException e) {
      throw new IOException(
          "--health-port: %s:%d: %s; give another port, or with --health-bind an address of this machine"
              .formatted(at.getAddress().getHostAddress(), at.getPort(), e.getMessage()),
          e);
    }
  }

  /** Not before there is something to say: options exist before it is known how a command logs. */
  private static Logger log() {
    return LoggerFactory.getLogger(HealthOptions.class);
  }
}
