package io.cellmesh.stack;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.devstack.DevStack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** The shard map of a data centre of a stack, whose endpoints.json follows it. */
public record StackTopology(Path stateDir, String datacenter) implements TopologyStore {
  /** Reads the file and looks at no process, for workers do so every few seconds. */
  @Override
  public Topology read() {
    try {
      return TopologyStore.ofFile(file()).read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void write(Topology topology) {
    DevStack.attach(stateDir).publish(topology);
  }

  @Override
  public Path file() {
    return new StateDirectory(stateDir).topology(datacenter);
  }
}
