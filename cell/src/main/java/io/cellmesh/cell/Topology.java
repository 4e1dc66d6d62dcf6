package io.cellmesh.cell;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * The shard map of one data centre: which storage cluster owns which shards, and its servers.
 *
 * @param instance the store's name
 * @param shards S and P
 * @param datacenter this data centre's name, the origin of the cells that its producers write
 * @param clusters the storage clusters; their ranges cover every shard exactly once
 */
public record Topology(
    String instance, Shards shards, String datacenter, List<StorageCluster> clusters) {

  /**
   * @throws TopologyException if a name breaks its rule or is used twice, or if the ranges leave a
   *     gap or overlap; the message names the shards
   */
  public Topology {
    Names.check("instance", instance);
    Names.check("datacenter", datacenter);
    clusters = List.copyOf(clusters);
    checkNames(clusters);
    checkCover(shards.count(), clusters);
  }

  /** The cluster that owns a shard: the primary of its cells. */
  public StorageCluster clusterOf(int shard) {
    for (var cluster : clusters) {
      if (cluster.shards().contains(shard)) {
        return cluster;
      }
    }
    throw new IllegalArgumentException("no such shard: " + shard);
  }

  /**
   * The cluster of a name.
   *
   * @throws TopologyException if there is none; the message lists those that exist
   */
  public StorageCluster cluster(String name) {
    return clusters.stream()
        .filter(c -> c.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new TopologyException(
                    "cluster \"%s\" is not in the topology; it has %s"
                        .formatted(name, clusters.stream().map(StorageCluster::name).toList())));
  }

  /**
   * The clusters that may hold copies of the given cluster's cells: every other one whose master
   * stands in another failure domain.
   */
  public List<StorageCluster> secondariesOf(StorageCluster primary) {
    return clusters.stream()
        .filter(c -> !c.name().equals(primary.name()))
        .filter(c -> !c.master().domain().equals(primary.master().domain()))
        .toList();
  }

  /**
   * Refuses a topology in which some cluster's cells could not be copied to another failure domain.
   *
   * @throws TopologyException naming the cluster and what to change
   */
  public Topology requireSecondaries() {
    for (var primary : clusters) {
      if (secondariesOf(primary).isEmpty()) {
        throw new TopologyException(
            "cluster %s: no other cluster has its master outside the failure domain \"%s\", so its cells could not be buffered; add a cluster or set `domain:` of the masters"
                .formatted(primary.name(), primary.master().domain()));
      }
    }
    return this;
  }

  /**
   * The same with whatever another map of the instance knows more of: its entry of each cluster
   * that has a later epoch there, or lists more minions beside the same servers.
   *
   * @throws TopologyException if they are no two versions of one map
   */
  public Topology withNewerOf(Topology other) {
    return new Topology(
        instance,
        shards,
        datacenter,
        clusters.stream()
            .map(
                cluster ->
                    other.clusters.stream()
                        .filter(theirs -> theirs.isNewerThan(cluster))
                        .findFirst()
                        .orElse(cluster))
            .toList());
  }

  /** Finds a server that is reached over a network, if there is one. */
  public Optional<Server> offLoopback() {
    return clusters.stream()
        .flatMap(cluster -> cluster.servers().stream())
        .filter(server -> !server.onLoopback())
        .findFirst();
  }

  /** The names of the instance's topics. */
  public Topics topics() {
    return new Topics(instance);
  }

  private static void checkNames(List<StorageCluster> clusters) {
    if (clusters.isEmpty()) {
      throw new TopologyException("clusters: there must be at least one");
    }
    var names = new HashSet<String>();
    for (var cluster : clusters) {
      if (!names.add(cluster.name())) {
        throw new TopologyException(
            "clusters: the name \"%s\" is used twice".formatted(cluster.name()));
      }
    }
    var servers = new HashSet<String>();
    for (var cluster : clusters) {
      for (var server : cluster.servers()) {
        if (!servers.add(server.address())) {
          throw new TopologyException(
              "clusters: the server %s is listed twice".formatted(server.address()));
        }
      }
    }
  }

  private static void checkCover(int count, List<StorageCluster> clusters) {
    var owner = new StorageCluster[count];
    for (var cluster : clusters) {
      for (var range : cluster.shards().ranges()) {
        if (range.last() >= count) {
          throw new TopologyException(
              "cluster %s: shards %s reach past the last shard, %d"
                  .formatted(cluster.name(), range, count - 1));
        }
        for (int shard = range.first(); shard <= range.last(); shard++) {
          if (owner[shard] != null) {
            throw new TopologyException(
                "shard %d is claimed by %s and by %s"
                    .formatted(shard, owner[shard].name(), cluster.name()));
          }
          owner[shard] = cluster;
        }
      }
    }
    var gaps = new ArrayList<ShardSet.Range>();
    for (int shard = 0; shard < count; shard++) {
      if (owner[shard] == null) {
        int first = shard;
        while (shard + 1 < count && owner[shard + 1] == null) {
          shard++;
        }
        gaps.add(new ShardSet.Range(first, shard));
      }
    }
    if (!gaps.isEmpty()) {
      throw new TopologyException("no cluster owns the shards " + new ShardSet(gaps));
    }
  }

  /**
   * One MySQL master and its minions.
   *
   * @param epoch rises with every promotion (invariant 10)
   */
  public record StorageCluster(
      String name, ShardSet shards, int epoch, Server master, List<Server> minions) {
    public StorageCluster {
      Names.check("clusters.name", name);
      Objects.requireNonNull(master, "master");
      minions = List.copyOf(minions);
      if (epoch < 1) {
        throw new TopologyException("cluster %s: epoch must be at least 1".formatted(name));
      }
    }

    /** The master, then the minions. */
    public List<Server> servers() {
      var servers = new ArrayList<Server>();
      servers.add(master);
      servers.addAll(minions);
      return servers;
    }

    /**
     * Whether this is a later entry of the same cluster. A promotion and a minion's removal raise
     * the epoch, so at the same one it can only list more minions.
     */
    public boolean isNewerThan(StorageCluster other) {
      boolean grown =
          epoch == other.epoch
              && master.address().equals(other.master.address())
              && minions.size() > other.minions.size()
              && addresses(minions).containsAll(addresses(other.minions));
      return name.equals(other.name) && (epoch > other.epoch || grown);
    }

    private static List<String> addresses(List<Server> servers) {
      return servers.stream().map(Server::address).toList();
    }

    /**
     * The server that answers reads.
     *
     * @param fromMinion whether the first minion does, where there is one, and not the master
     */
    public Server reader(boolean fromMinion) {
      return fromMinion && !minions.isEmpty() ? minions.get(0) : master;
    }
  }

  /**
   * A MySQL server.
   *
   * @param domain its failure domain; what fails together has the same
   */
  public record Server(String host, int port, String domain) {
    public String address() {
      return host + ":" + port;
    }

    public String url() {
      return "mysql://" + address();
    }

    /** Tells whether it is this machine by its name alone, which nobody asks a name server for. */
    public boolean onLoopback() {
      return host.equals("localhost") || host.startsWith("127.") || host.equals("::1");
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%s (%s)", address(), domain);
    }
  }
}
