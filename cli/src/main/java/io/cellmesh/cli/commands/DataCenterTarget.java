package io.cellmesh.cli.commands;

import io.cellmesh.cell.Topology;
import io.cellmesh.operations.DataCenter;
import io.cellmesh.operations.Deployment;
import io.cellmesh.stack.StateDirectory;
import io.cellmesh.storage.Pools;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which data centre of which stack a command talks to. */
final class DataCenterTarget {
  @Mixin private Target target;

  @Option(
      names = "--dc",
      paramLabel = "NAME",
      description = "Data centre (default: the first of the stack).")
  private Optional<String> name = Optional.empty();

  /** A data centre's MySQL servers, as long as this is open. */
  record Servers(Topology topology, Pools pools) implements AutoCloseable {
    @Override
    public void close() {
      pools.close();
    }
  }

  StateDirectory directory() throws IOException {
    return target.directory();
  }

  Deployment open() throws IOException {
    return target.open();
  }

  DataCenter of(Deployment deployment) {
    return deployment.datacenter(name);
  }

  /** Connects to none of them yet. */
  Servers servers() throws IOException {
    var deployment = open();
    return new Servers(of(deployment).topology(), new Pools(deployment.credentials()));
  }
}
