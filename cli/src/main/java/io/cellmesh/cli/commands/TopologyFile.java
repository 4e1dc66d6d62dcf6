package io.cellmesh.cli.commands;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.TopologyException;
import io.cellmesh.cell.TopologyYaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names the shard map of servers of one's own. */
final class TopologyFile {
  @Option(
      names = "--topology",
      required = true,
      paramLabel = "FILE",
      description = "The topology.yaml of the data centre.")
  private Path file;

  /**
   * @throws TopologyException if it is none
   */
  Topology read() throws IOException {
    return TopologyYaml.parse(Files.readString(file));
  }
}
