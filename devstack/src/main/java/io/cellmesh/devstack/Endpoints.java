package io.cellmesh.devstack;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Where a running stack's parts listen: the content of {@code endpoints.json}, which scripts may
 * rely on. Roles are as they are now.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Endpoints(String instance, int shards, List<Dc> dcs) {
  public static final String FILE = "endpoints.json";

  private static final ObjectMapper JSON = JsonMapper.builder().build();

  public Endpoints {
    dcs = List.copyOf(dcs);
  }

  /**
   * A data centre.
   *
   * @param kafka {@code host:port} of its broker; null when there is none
   * @param connect the URL of its first Connect worker; null when there is none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Dc(String name, String kafka, String connect, List<Cluster> clusters) {
    public Dc {
      clusters = List.copyOf(clusters);
    }
  }

  /** A storage cluster; its servers are {@code mysql://root@host:port}. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Cluster(String name, String shards, String master, List<String> minions) {
    public Cluster {
      minions = List.copyOf(minions);
    }
  }

  /**
   * @throws IllegalArgumentException naming those that exist, if there is none of that name
   */
  public Dc dc(String name) {
    return dcs.stream()
        .filter(dc -> dc.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no data centre %s; there are %s"
                        .formatted(name, dcs.stream().map(Dc::name).toList())));
  }

  /** Reads {@code endpoints.json} in a state directory. */
  public static Endpoints read(Path stateDir) {
    var file = stateDir.resolve(FILE);
    if (!Files.exists(file)) {
      throw new DevStackException("there is no stack in " + stateDir + " (no " + FILE + ")");
    }
    try {
      return JSON.readValue(file.toFile(), Endpoints.class);
    } catch (IOException e) {
      throw new DevStackException(file + " is not readable", e);
    }
  }

  /** Writes {@code endpoints.json}, whole or not at all. */
  public void write(Path stateDir) {
    try {
      AtomicFile.write(
          stateDir.resolve(FILE),
          JSON.writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n");
    } catch (IOException e) {
      throw new DevStackException(FILE + " could not be written into " + stateDir, e);
    }
  }
}
