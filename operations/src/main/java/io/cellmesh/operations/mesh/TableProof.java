package io.cellmesh.operations.mesh;

import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.proof.TableVerdict;
import io.cellmesh.deployment.DataCenter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the workers of a data centre have found in its entity tables, which they read all the time.
 *
 * @param datacenter whose tables
 * @param partitions that its instance has
 * @param servers the partitions of which each server has shards, by its address
 * @param read whether anybody is to read them: the deployment names workers, or some have
 * @param verdicts of each partition that was ever read
 * @param now milliseconds since 1970
 */
public record TableProof(
    String datacenter,
    int partitions,
    Map<String, Set<Integer>> servers,
    boolean read,
    List<TableVerdict> verdicts,
    long now) {
  /** Beside the time that two rounds take. */
  private static final Duration STALE = Duration.ofMinutes(10);

  public TableProof {
    servers = new TreeMap<>(servers);
    verdicts = List.copyOf(verdicts);
  }

  /** Of the servers that a data centre's shard map has. */
  static TableProof of(DataCenter dc, List<TableVerdict> verdicts, long now) {
    var servers = new TreeMap<String, Set<Integer>>();
    var shards = dc.topology().shards();
    for (StorageCluster cluster : dc.topology().clusters()) {
      var partitions = new TreeSet<Integer>();
      cluster.shards().stream().forEach(shard -> partitions.add(shards.partitionOf(shard)));
      for (Server server : cluster.servers()) {
        servers.put(server.address(), partitions);
      }
    }
    boolean read = !dc.workers().isEmpty() || !verdicts.isEmpty();
    return new TableProof(dc.name(), shards.partitions(), servers, read, verdicts, now);
  }

  /** Whether all rows were read of late, and none is known to differ; or nobody is to read any. */
  public boolean agrees() {
    return verdicts.stream().allMatch(verdict -> verdict.found() == 0) && doubts().isEmpty();
  }

  /**
   * Says of which servers it can't be told that their tables are right, though no difference may be
   * known: they were not read yet, or for longer than two rounds and 10 min.
   *
   * @return why, by the server's address
   */
  public Map<String, String> doubts() {
    var doubts = new TreeMap<String, String>();
    if (read) {
      servers.forEach(
          (address, has) -> doubt(address, has).ifPresent(why -> doubts.put(address, why)));
    }
    return doubts;
  }

  private Optional<String> doubt(String address, Set<Integer> has) {
    var read =
        verdicts.stream()
            .filter(verdict -> has.contains(verdict.partition()))
            .flatMapToLong(verdict -> verdict.readAt(address).stream())
            .sorted()
            .toArray();
    if (read.length == 0) {
      return Optional.of("not read yet" + why(address));
    }
    if (read.length < has.size()) {
      return Optional.of(
          "not read yet in %d of %d partitions%s"
              .formatted(has.size() - read.length, has.size(), why(address)));
    }
    var age = Duration.ofMillis(now - read[0]);
    return age.compareTo(longest()) > 0
        ? Optional.of("not read for %d min%s".formatted(age.toMinutes(), why(address)))
        : Optional.empty();
  }

  /** One round takes no longer than all looks together, so in two each server has its turn. */
  private Duration longest() {
    return verdicts.stream()
        .map(TableVerdict::took)
        .reduce(Duration.ZERO, Duration::plus)
        .multipliedBy(2)
        .plus(STALE);
  }

  private String why(String address) {
    return verdicts.stream()
        .flatMap(verdict -> verdict.servers().stream())
        .filter(server -> server.address().equals(address) && !server.unread().isEmpty())
        .map(server -> ": " + server.unread())
        .findFirst()
        .orElse("");
  }

  /** Rows that were read when each was read last, on all servers. */
  public long rows() {
    return verdicts.stream().mapToLong(TableVerdict::rows).sum();
  }

  /** When the partition was read that was read longest ago; empty unless all were. */
  public OptionalLong oldest() {
    return verdicts.size() < partitions
        ? OptionalLong.empty()
        : verdicts.stream().mapToLong(TableVerdict::at).min();
  }
}
