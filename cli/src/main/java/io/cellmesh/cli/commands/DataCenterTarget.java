package io.cellmesh.cli.commands;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.storage.Pools;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which data centre of which instance a command talks to. */
final class DataCenterTarget {
  @Mixin private Target target;

  @Option(
      names = "--dc",
      paramLabel = "NAME",
      description = "Data centre (default: the first of the deployment).")
  private Optional<String> name = Optional.empty();

  /** A data centre's MySQL servers, as long as this is open. */
  record Servers(Topology topology, Pools pools) implements AutoCloseable {
    @Override
    public void close() {
      pools.close();
    }
  }

  Deployment open() throws IOException {
    return target.open();
  }

  DataCenter of(Deployment deployment) {
    return deployment.datacenter(name);
  }

  /** The one that is meant. */
  DataCenter datacenter() throws IOException {
    return of(open());
  }

  /** To read cells from; connects to none of them yet. */
  Servers readers() throws IOException {
    var dc = datacenter();
    return new Servers(dc.topology(), new Pools(dc.reader()));
  }

  /** To look into everything; connects to none of them yet. */
  Servers servers() throws IOException {
    var dc = datacenter();
    return new Servers(dc.topology(), new Pools(dc.operator()));
  }
}
