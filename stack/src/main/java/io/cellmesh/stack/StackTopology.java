package io.cellmesh.stack;

import io.cellmesh.cell.Topology;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.devstack.DevStack;
import java.nio.file.Path;

/** The shard map of a data centre of a stack, whose endpoints.json follows it. */
public record StackTopology(Path stateDir, String datacenter) implements TopologyStore {
  @Override
  public Topology read() {
    return stack().topology(datacenter);
  }

  @Override
  public void write(Topology topology) {
    stack().publish(topology);
  }

  @Override
  public Path file() {
    return stack().topologyFile(datacenter);
  }

  private DevStack stack() {
    return DevStack.attach(stateDir);
  }
}
