package io.cellmesh.operations;

import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.deployment.DataCenter;

/** Clients of the Connect workers that a deployment names. */
public final class ConnectClients {
  private ConnectClients() {}

  /**
   * @throws io.cellmesh.deployment.DeploymentException if the deployment names no worker, or its
   *     secrets can't be had
   */
  public static ConnectClient of(DataCenter datacenter) {
    var connect = datacenter.connect();
    return new ConnectClient(connect.url(), connect.login(), connect.trust());
  }
}
