package io.cellmesh.worker.security;

import io.cellmesh.deployment.DeploymentException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How a worker is protected.
 *
 * @param tokens the file of those who may call; without one, whoever is on this machine may
 * @param tls the certificate by which it is known; without one it speaks HTTP in the clear
 * @param accessLog whether each call has a line in the log
 */
public record Protection(
    Optional<Path> tokens, Optional<TlsFiles> tls, boolean accessLog, Limits limits) {
  /** None but that only this machine is answered. */
  public static final Protection LOOPBACK =
      new Protection(Optional.empty(), Optional.empty(), false, Limits.USUAL);

  /**
   * Refuses to serve other machines without tokens.
   *
   * @throws DeploymentException saying what to do
   */
  void check(InetSocketAddress at) {
    if (tokens.isEmpty() && !(at.getAddress() != null && at.getAddress().isLoopbackAddress())) {
      throw new DeploymentException(
          "--bind %s: other machines are served with tokens alone; make one with "
                  .formatted(at.getHostString())
              + "`cellmesh worker token NAME --rights INSTANCE:RIGHT`, put its line into a file, "
              + "and give that as --tokens FILE");
    }
  }
}
