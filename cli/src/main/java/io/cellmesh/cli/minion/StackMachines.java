package io.cellmesh.cli.minion;

import io.cellmesh.devstack.DevStack;
import java.nio.file.Path;
import java.util.Optional;

/** The machines of a data centre of a stack of this tool. */
public record StackMachines(Path stateDir, String datacenter) {

  /** Starts one more for a cluster. */
  public Machine add(String cluster) {
    return new StackMachine(DevStack.attach(stateDir).addServer(datacenter, cluster));
  }

  /** The one at an address; empty if it is not of this stack. */
  public Optional<Machine> at(String address) {
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    return DevStack.attach(stateDir).serverAt(port).map(StackMachine::new);
  }
}
