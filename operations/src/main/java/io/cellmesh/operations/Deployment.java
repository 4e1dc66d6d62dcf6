package io.cellmesh.operations;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topics;
import java.util.List;
import java.util.Optional;

/**
 * A running instance: its data centres, its indexes, and how to sign on to its servers.
 *
 * @param datacenters at least one; all have the same shards and partitions
 * @param users of the roles, if each has one; else all that runs there signs on as commands do
 */
public record Deployment(
    String instance,
    List<DataCenter> datacenters,
    List<IndexFile> indexes,
    Credentials credentials,
    Optional<ConnectorAccounts> users) {

  public Deployment {
    datacenters = List.copyOf(datacenters);
    indexes = List.copyOf(indexes);
  }

  /** How connectors sign on. */
  public Credentials connectors() {
    return users.map(ConnectorAccounts::connectors).orElse(credentials);
  }

  public Topics topics() {
    return new Topics(instance);
  }

  public Shards shards() {
    return datacenters.get(0).topology().shards();
  }

  /**
   * The data centre of a name, or the first one.
   *
   * @throws OperationException if there is none of that name
   */
  public DataCenter datacenter(Optional<String> name) {
    if (name.isEmpty()) {
      return datacenters.get(0);
    }
    return datacenters.stream()
        .filter(dc -> dc.name().equals(name.get()))
        .findFirst()
        .orElseThrow(
            () ->
                OperationException.invalid(
                    "there is no data centre \"%s\"; there is %s"
                        .formatted(
                            name.get(), datacenters.stream().map(DataCenter::name).toList())));
  }
}
