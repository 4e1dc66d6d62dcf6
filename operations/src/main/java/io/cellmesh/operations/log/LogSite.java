package io.cellmesh.operations.log;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.operations.DataCenter;
import java.net.URI;
import java.util.Optional;

/**
 * Where the log of one data centre is made.
 *
 * @param connect a Connect worker's URL
 * @param kafka bootstrap servers; empty if nobody said them
 * @param credentials of MySQL, for counting
 */
public record LogSite(
    Topology topology, URI connect, Optional<String> kafka, Credentials credentials) {

  /** A stack's. */
  public static LogSite of(DataCenter datacenter, Credentials credentials) {
    return new LogSite(
        datacenter.topology(),
        URI.create(datacenter.connect()),
        Optional.of(datacenter.kafka()),
        credentials);
  }
}
