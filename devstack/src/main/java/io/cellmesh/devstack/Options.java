package io.cellmesh.devstack;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a stack consists of. Start from {@link #defaults} and change what differs.
 *
 * @param stateDir where everything lies; empty for a temporary directory that goes with the stack
 * @param datacenters how many, named dc1, dc2 and so on
 * @param diskMiB the size of the {@link Disk} that each MySQL server and broker has; 0 for none
 * @param undisturbed whether it is measured: what the stack does on the side, as looking at its
 *     memory, is left out, and its JVMs compile all the way
 */
public record Options(
    Optional<Path> stateDir,
    Instance instance,
    int datacenters,
    Storage storage,
    Kafka kafka,
    int diskMiB,
    boolean undisturbed) {

  /** The instance that topologies are written for. */
  public record Instance(String name, int shards, int partitions) {}

  /**
   * The MySQL side of a data centre.
   *
   * @param clusters how many, named c1, c2 and so on; 0 for none
   * @param minions of each cluster's master
   * @param bufferPoolMiB InnoDB's, of each server
   * @param tls whether servers have certificates of the stack's own CA, {@link Certificates}
   * @param settings added to every server's option file, in place of what is there
   */
  public record Storage(
      int clusters, int minions, int bufferPoolMiB, boolean tls, Map<String, String> settings) {
    public Storage {
      settings = Map.copyOf(settings);
    }
  }

  /**
   * The Kafka side of a data centre.
   *
   * @param brokers how many, of one cluster; 0 for none
   * @param workers how many Connect workers, all of one group
   * @param plugins parent directories of unpacked connector archives, the workers' plugin.path
   * @param workerSettings added to the workers' configuration, or in place of what is there
   * @param brokerSettings the same for the brokers
   * @param secured whether brokers ask who signs on, and what it may do: {@link KafkaSecurity}
   * @param restSecured whether workers ask who uses their REST interface: {@link RestSecurity}
   * @param workersWait until somebody starts them, who may reconfigure them before
   * @param peersApart whether each other data centre reaches brokers through a {@link NetworkPath}
   *     of its own, so that it can be cut off from them alone; not while they are secured
   */
  public record Kafka(
      int brokers,
      int workers,
      List<Path> plugins,
      Map<String, String> workerSettings,
      Map<String, String> brokerSettings,
      boolean secured,
      boolean restSecured,
      boolean workersWait,
      boolean peersApart) {
    public Kafka {
      plugins = List.copyOf(plugins);
      workerSettings = Map.copyOf(workerSettings);
      brokerSettings = Map.copyOf(brokerSettings);
      if (workers > 0 && brokers == 0) {
        throw new IllegalArgumentException("a Connect worker needs a broker");
      }
    }
  }

  /**
   * Two data centres, each with two storage clusters of a master and a minion, a broker and a
   * Connect worker without plugins; instance trips with 64 shards over 16 partitions.
   */
  public static Options defaults() {
    return new Options(
        Optional.empty(),
        new Instance("trips", 64, 16),
        2,
        new Storage(2, 1, 64, false, Map.of()),
        new Kafka(1, 1, List.of(), Map.of(), Map.of(), false, false, false, false),
        0,
        false);
  }

  public Options withStateDir(Path dir) {
    return new Options(
        Optional.of(dir), instance, datacenters, storage, kafka, diskMiB, undisturbed);
  }

  public Options withInstance(String name, int shards, int partitions) {
    return new Options(
        stateDir,
        new Instance(name, shards, partitions),
        datacenters,
        storage,
        kafka,
        diskMiB,
        undisturbed);
  }

  public Options withDatacenters(int count) {
    return new Options(stateDir, instance, count, storage, kafka, diskMiB, undisturbed);
  }

  /** Storage clusters of each data centre. */
  public Options withClusters(int count) {
    return with(
        new Storage(count, storage.minions, storage.bufferPoolMiB, storage.tls, storage.settings));
  }

  /** Minions of each cluster. */
  public Options withMinions(int count) {
    return with(
        new Storage(storage.clusters, count, storage.bufferPoolMiB, storage.tls, storage.settings));
  }

  public Options withBufferPoolMiB(int size) {
    return with(
        new Storage(storage.clusters, storage.minions, size, storage.tls, storage.settings));
  }

  /** One more setting of the MySQL servers, by its name in an option file. */
  public Options withMySqlSetting(String key, String value) {
    return with(
        new Storage(
            storage.clusters,
            storage.minions,
            storage.bufferPoolMiB,
            storage.tls,
            plus(storage.settings, key, value)));
  }

  /** With a {@link NetworkPath} before each MySQL server and each broker, and those of peers. */
  public Options withNetworkPaths() {
    return withMySqlSetting("port", "0").withPeersPaths();
  }

  /** With one before each broker for each other data centre, and no more: what passes it costs. */
  public Options withPeersPaths() {
    return with(kafka.secured, kafka.restSecured, kafka.workersWait, true);
  }

  /** MySQL servers prove who they are; clients may still speak to them without TLS. */
  public Options withTls() {
    return with(
        new Storage(
            storage.clusters, storage.minions, storage.bufferPoolMiB, true, storage.settings));
  }

  /** Kafka and Connect only. */
  public Options withoutMySql() {
    return withClusters(0);
  }

  /** MySQL only: no broker and no Connect worker. */
  public Options withoutKafka() {
    return with(0, 0, kafka.plugins, kafka.workerSettings, kafka.brokerSettings);
  }

  /** Connect workers of each data centre; 0 for a broker alone. */
  public Options withWorkers(int count) {
    return with(kafka.brokers, count, kafka.plugins, kafka.workerSettings, kafka.brokerSettings);
  }

  /** Brokers of each data centre; with three of them one may be missing. */
  public Options withBrokers(int count) {
    return with(count, kafka.workers, kafka.plugins, kafka.workerSettings, kafka.brokerSettings);
  }

  /** With a {@link Disk} for each MySQL server and broker; only root can have them. */
  public Options withDisks(int sizeMiB) {
    return new Options(stateDir, instance, datacenters, storage, kafka, sizeMiB, undisturbed);
  }

  /** The workers' plugin.path: directories that hold unpacked connector archives. */
  public Options withPlugins(List<Path> directories) {
    return with(
        kafka.brokers, kafka.workers, directories, kafka.workerSettings, kafka.brokerSettings);
  }

  /** One more setting of the Connect workers. */
  public Options withWorkerSetting(String key, String value) {
    return with(
        kafka.brokers,
        kafka.workers,
        kafka.plugins,
        plus(kafka.workerSettings, key, value),
        kafka.brokerSettings);
  }

  /** Source connectors write their records and offsets in transactions. */
  public Options withExactlyOnceSource() {
    return withWorkerSetting("exactly.once.source.support", "enabled");
  }

  /** One more setting of the brokers. */
  public Options withBrokerSetting(String key, String value) {
    return with(
        kafka.brokers,
        kafka.workers,
        kafka.plugins,
        kafka.workerSettings,
        plus(kafka.brokerSettings, key, value));
  }

  /** Brokers take SASL over TLS alone, and allow what ACLs allow; workers sign on as the admin. */
  public Options withKafkaSecurity() {
    return with(true, kafka.restSecured, kafka.workersWait, kafka.peersApart);
  }

  /** Workers' REST interfaces speak HTTPS and take basic authentication alone. */
  public Options withRestSecurity() {
    return with(kafka.secured, true, kafka.workersWait, kafka.peersApart);
  }

  /** Workers are started by whoever knows how they are to sign on. */
  public Options withWaitingWorkers() {
    return with(kafka.secured, kafka.restSecured, true, kafka.peersApart);
  }

  /** For measurements: the processor belongs to the servers alone. */
  public Options withoutSideWork() {
    return new Options(stateDir, instance, datacenters, storage, kafka, diskMiB, true);
  }

  private Options with(Storage changed) {
    return new Options(stateDir, instance, datacenters, changed, kafka, diskMiB, undisturbed);
  }

  private Options with(
      int brokers,
      int workers,
      List<Path> plugins,
      Map<String, String> workerSettings,
      Map<String, String> brokerSettings) {
    return with(
        new Kafka(
            brokers,
            workers,
            plugins,
            workerSettings,
            brokerSettings,
            kafka.secured,
            kafka.restSecured,
            kafka.workersWait,
            kafka.peersApart));
  }

  private Options with(
      boolean secured, boolean restSecured, boolean workersWait, boolean peersApart) {
    return with(
        new Kafka(
            kafka.brokers,
            kafka.workers,
            kafka.plugins,
            kafka.workerSettings,
            kafka.brokerSettings,
            secured,
            restSecured,
            workersWait,
            peersApart));
  }

  private Options with(Kafka changed) {
    return new Options(stateDir, instance, datacenters, storage, changed, diskMiB, undisturbed);
  }

  /** Whether there is a {@link NetworkPath} before each server. */
  boolean hasPaths() {
    return storage.settings.containsKey("port");
  }

  /** Whether there is one before each broker for each other data centre. */
  boolean hasPeersPaths() {
    return kafka.peersApart && !kafka.secured;
  }

  /** Whether something of it proves who it is. */
  boolean certified() {
    return storage.tls || kafka.secured || kafka.restSecured;
  }

  private static Map<String, String> plus(Map<String, String> map, String key, String value) {
    var changed = new TreeMap<>(map);
    changed.put(key, value);
    return changed;
  }
}
