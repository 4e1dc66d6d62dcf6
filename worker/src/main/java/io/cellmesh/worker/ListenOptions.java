package io.cellmesh.worker;

import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.worker.security.Limits;
import io.cellmesh.worker.security.Protection;
import io.cellmesh.worker.security.TlsFiles;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say where a worker listens, and to whom. */
public final class ListenOptions {
  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8080",
      description = "Listen on this port (default: ${DEFAULT-VALUE}); 0 takes any that is free.")
  private int port;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description =
          "Listen on this address, such as 0.0.0.0; but for this machine's own that needs --tokens "
              + "(default: the loopback interface).")
  private Optional<InetAddress> bind = Optional.empty();

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      description =
          "The tokens of those who may call, whose lines `worker token` makes; changes count within "
              + "seconds (default: whoever is on this machine may do everything).")
  private Optional<Path> tokens = Optional.empty();

  @Option(
      names = "--tls-certificate",
      paramLabel = "FILE",
      description =
          "Speak HTTPS with this certificate, in PEM and followed by those of its CAs; changes count "
              + "within seconds.")
  private Optional<Path> certificate = Optional.empty();

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "The certificate's private key, in PEM, PKCS#8 without a password.")
  private Optional<Path> key = Optional.empty();

  @Option(
      names = "--tls-client-ca",
      paramLabel = "FILE",
      description =
          "Let only those connect who have a certificate of a CA in this file, in PEM; tokens are "
              + "asked for as well.")
  private Optional<Path> clientCa = Optional.empty();

  @Option(
      names = "--no-access-log",
      description = "Log no line for each call; those that are refused are logged all the same.")
  private boolean quiet;

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      defaultValue = "20000",
      description =
          "Connections that are served at once, which need as many open files (default: "
              + "${DEFAULT-VALUE}); more wait.")
  private int connections;

  /** Where to listen. */
  public InetSocketAddress at() {
    return new InetSocketAddress(bind.orElseGet(InetAddress::getLoopbackAddress), port);
  }

  /**
   * To whom.
   *
   * @throws DeploymentException if options do not go together
   */
  public Protection protection() {
    if (certificate.isPresent() != key.isPresent() || clientCa.isPresent() && key.isEmpty()) {
      throw new DeploymentException(
          "--tls-certificate and --tls-key go together, and --tls-client-ca needs both");
    }
    if (connections < 1) {
      throw new DeploymentException("--max-connections: %d is none".formatted(connections));
    }
    var tls = certificate.map(file -> new TlsFiles(file, key.orElseThrow(), clientCa));
    return new Protection(tokens, tls, !quiet, Limits.USUAL.withConnections(connections));
  }

  /**
   * What to call it by.
   *
   * @param port where it listens in fact
   */
  public String url(int port) {
    var scheme = certificate.isPresent() ? "https" : "http";
    return "%s://%s:%d/".formatted(scheme, at().getHostString(), port);
  }
}
