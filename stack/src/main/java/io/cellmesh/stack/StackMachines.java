package io.cellmesh.stack;

import io.cellmesh.devstack.DevStack;
import io.cellmesh.operations.minion.ServerHost;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The machines of a data centre of a stack of this tool. They all stand on one machine: each is a
 * failure domain of its own by its name, unless somebody says otherwise.
 */
public record StackMachines(Path stateDir, String datacenter) {

  /** Starts one more for a cluster. */
  public ServerHost add(String cluster, Optional<String> domain) {
    return new StackMachine(DevStack.attach(stateDir).addServer(datacenter, cluster), domain);
  }

  /** The one at an address; empty if it is not of this stack. */
  public Optional<ServerHost> at(String address, Optional<String> domain) {
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    return DevStack.attach(stateDir).serverAt(port).map(mysqld -> new StackMachine(mysqld, domain));
  }
}
