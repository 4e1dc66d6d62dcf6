package io.cellmesh.cli.commands;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.ConnectAccess;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.operations.MySqlEnvironment;
import io.cellmesh.operations.OperationException;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options that say which data centre a command talks to: by a deployment, or by its topology
 * alone, which makes one in memory.
 */
final class OwnServers {
  @Mixin private TopologyTarget target;

  @Option(
      names = "--user",
      paramLabel = "NAME",
      defaultValue = "root",
      description =
          "With --topology: the MySQL user (default: root); its password is taken from the "
              + "environment, as docs/security.md says.")
  private String user;

  /** Whether a topology is named instead of a deployment. */
  boolean areNamed() {
    return target.store().isPresent();
  }

  /** The other data centres whose brokers are known; none where only a topology is named. */
  List<DataCenter> others() throws IOException {
    if (areNamed()) {
      return List.of();
    }
    var deployment = target.deployment();
    var here = target.of(deployment);
    return deployment.datacenters().stream()
        .filter(dc -> !dc.equals(here) && dc.knowsKafka())
        .toList();
  }

  /** Without Kafka and Connect where only a topology is named. */
  DataCenter datacenter() throws IOException {
    return datacenter(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * @param connect with a topology, a Connect worker's URL
   * @param kafka with a topology, bootstrap servers
   * @param replication with a topology, the user with which minions follow their master
   * @throws OperationException if a URL has no host, or one is given beside a deployment
   */
  DataCenter datacenter(Optional<URI> connect, Optional<String> kafka, Optional<String> replication)
      throws IOException {
    var store = target.store();
    if (store.isEmpty()) {
      if (connect.isPresent() || kafka.isPresent()) {
        throw OperationException.invalid(
            "--connect and --kafka belong to --topology; a deployment says both itself");
      }
      return target.datacenter();
    }
    connect.ifPresent(OwnServers::check);
    var map = store.get().read();
    return new DataCenter(
        map.datacenter(),
        map,
        store.get(),
        new FixedAccess(
            "--topology",
            kafka.map(KafkaAccess::plain),
            connect.map(ConnectAccess::plain),
            () -> MySqlEnvironment.ofProcess().credentials(user, map),
            replication.map(name -> replication(name, map)),
            Optional.empty()));
  }

  private static Credentials replication(String name, Topology map) {
    return MySqlEnvironment.ofProcess().replication(name, map);
  }

  private static void check(URI connect) {
    if (connect.getHost() == null) {
      throw OperationException.invalid("--connect: " + connect + " is not http://host:port");
    }
  }
}
