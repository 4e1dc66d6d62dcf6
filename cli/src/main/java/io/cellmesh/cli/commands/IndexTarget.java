package io.cellmesh.cli.commands;

import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.index.IndexSite;
import io.cellmesh.storage.MySqlOptions;
import io.cellmesh.storage.Pools;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Mixin;

/** The options that say whose indexes are meant. */
final class IndexTarget {
  /** Whole tables are made and read; a minute is not long for that. */
  private static final MySqlOptions PATIENT =
      new MySqlOptions(
          Duration.ofSeconds(5),
          Duration.ofMinutes(10),
          Duration.ofSeconds(30),
          Duration.ofMinutes(10),
          MySqlOptions.DEFAULT.poolSize());

  @Mixin private Target target;

  /** An instance, as long as it is open. */
  record Open(Deployment deployment, Pools pools) implements AutoCloseable {

    /** Every data centre has indexes of its own. */
    List<IndexSite> sites() {
      return deployment.datacenters().stream()
          .map(dc -> new IndexSite(deployment, dc, pools))
          .toList();
    }

    @Override
    public void close() {
      pools.close();
    }
  }

  Open open() throws IOException {
    var deployment = target.open();
    return new Open(deployment, new Pools(deployment.operator(), PATIENT));
  }
}
