package io.cellmesh.devstack;

import io.cellmesh.connect.client.Waiting;
import io.cellmesh.devstack.StackPlan.BrokerPlan;
import io.cellmesh.devstack.dist.Cache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;

/** A Kafka node, broker and controller in one, in a JVM of its own. It keeps every record. */
public final class KafkaBroker extends Child {
  /** A cell's record may take 4 MiB; a batch has a header beside it. */
  private static final int MAX_MESSAGE_BYTES = (4 << 20) + (64 << 10);

  /** Of the hash of a password; the least that Kafka takes. */
  private static final int ITERATIONS = 4096;

  private static final Duration READY_TIMEOUT = Duration.ofSeconds(180);
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ADMIN_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration RETRY = Duration.ofMillis(200);

  private final BrokerPlan plan;
  private final List<BrokerPlan> cluster;
  private final Path dir;

  /**
   * @param cluster all nodes of its cluster, this one among them
   */
  KafkaBroker(BrokerPlan plan, List<BrokerPlan> cluster, Household household) {
    super(plan.name(), READY_TIMEOUT, household);
    this.plan = plan;
    this.cluster = List.copyOf(cluster);
    this.dir = household.stateDir().resolve(plan.name());
  }

  /** Writes its configuration, and formats its storage unless that has been done. */
  void prepare(Cache cache, String clusterId) {
    KafkaJars.write(properties(), settings(), plan.settings());
    if (!Files.exists(data())) {
      try {
        KafkaStorage.format(cache, data(), plan.node(), clusterId);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void start() {
    if (plan.listening() != plan.port()) {
      NetworkPath.open(plan.port(), plan.listening());
    }
    plan.peers().forEach(peer -> NetworkPath.open(peer.port(), peer.listening()));
    super.start();
  }

  /** {@code 127.0.0.1:PORT} of each node of its cluster, with commas. */
  public String bootstrap() {
    return bootstrap(cluster);
  }

  static String bootstrap(List<BrokerPlan> cluster) {
    return cluster.stream()
        .map(broker -> "127.0.0.1:" + broker.port())
        .collect(Collectors.joining(","));
  }

  /** As {@link #bootstrap()}, for clients of another data centre. */
  public String bootstrapFor(String datacenter) {
    return cluster.stream()
        .map(broker -> "127.0.0.1:" + portFor(broker, datacenter))
        .collect(Collectors.joining(","));
  }

  private static int portFor(BrokerPlan broker, String datacenter) {
    return broker.peers().stream()
        .filter(peer -> peer.datacenter().equals(datacenter))
        .map(StackPlan.PeerPort::port)
        .findFirst()
        .orElse(broker.port());
  }

  /** The network between it and a client of another data centre; empty if clients share one. */
  public Optional<NetworkPath> pathFrom(String datacenter) {
    return plan.peers().stream()
        .filter(peer -> peer.datacenter().equals(datacenter))
        .findFirst()
        .flatMap(peer -> NetworkPath.before(peer.port()));
  }

  /** Where clients reach it, through its {@link NetworkPath} if it has one. */
  public int port() {
    return plan.port();
  }

  /** Its configuration file. */
  public Path properties() {
    return dir.resolve("broker.properties");
  }

  /** A client to administer it. The caller closes it. */
  public Admin admin() {
    return admin(ADMIN_TIMEOUT);
  }

  /** The settings of a client that may do everything; empty where nobody is asked. */
  public Map<String, String> administrator() {
    return security().map(KafkaSecurity::administrator).orElse(Map.of());
  }

  /**
   * Makes a user, or gives it another password. What it may do, ACLs say.
   *
   * @return the settings of a client that signs on as this user
   * @throws DevStackException if the broker asks nobody who they are
   */
  public Map<String, String> addUser(String name) {
    var security = security().orElseThrow(() -> new DevStackException(name() + " knows no users"));
    var secret = OwnersFile.secret();
    try (var admin = admin()) {
      var mechanism = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, ITERATIONS);
      admin
          .alterUserScramCredentials(
              List.of(new UserScramCredentialUpsertion(name, mechanism, secret)))
          .all()
          .get();
    } catch (ExecutionException e) {
      throw new DevStackException(name + ": " + e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DevStackException("interrupted while " + name + " was made", e);
    }
    return security.client(name, secret);
  }

  /**
   * Creates topics and waits until the broker leads each of their partitions. Where metadata name a
   * leader that does not yet know of it, an idempotent producer's first batch may be refused and
   * its second one taken; the first then never fits any more and is given up after two minutes
   * (KAFKA-15591). Asking for offsets gets an answer from nobody but a leader that knows.
   *
   * <p>While a busy machine keeps a broker from its controller for longer than a session, there is
   * none to put them on: that is waited for.
   */
  public void create(NewTopic... topics) {
    var names = Arrays.stream(topics).map(NewTopic::name).toList();
    try (var admin = admin()) {
      var created =
          Waiting.find(ADMIN_TIMEOUT, RETRY, () -> tryToCreate(admin, topics))
              .orElseThrow(() -> new DevStackException(names + ": all brokers stay fenced"));
      Waiting.until(
          ADMIN_TIMEOUT,
          () -> areLed(admin, created, topics),
          () -> new DevStackException("no leaders of " + names));
    } catch (ExecutionException e) {
      throw new DevStackException(names + ": " + e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DevStackException("interrupted while topics were created", e);
    }
  }

  /** Empty while all brokers are fenced. */
  private static Optional<CreateTopicsResult> tryToCreate(Admin admin, NewTopic... topics)
      throws ExecutionException, InterruptedException {
    var created = admin.createTopics(List.of(topics));
    try {
      created.all().get();
      return Optional.of(created);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof InvalidReplicationFactorException refusal
          && refusal.getMessage().contains("fenced")) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * Whether the broker leads all partitions of these topics, and not of others of the same names
   * that were just deleted.
   */
  private static boolean areLed(Admin admin, CreateTopicsResult created, NewTopic... topics) {
    var ends = new HashMap<TopicPartition, OffsetSpec>();
    for (var topic : topics) {
      for (int p = 0; p < topic.numPartitions(); p++) {
        ends.put(new TopicPartition(topic.name(), p), OffsetSpec.latest());
      }
    }
    try {
      var described = admin.describeTopics(created.values().keySet()).allTopicNames().get();
      for (var topic : described.values()) {
        if (!topic.topicId().equals(created.topicId(topic.name()).get())) {
          return false;
        }
      }
      admin.listOffsets(ends).all().get();
      return true;
    } catch (ExecutionException e) {
      // The topics may not have reached the broker at all.
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DevStackException("interrupted while topics were created", e);
    }
  }

  @Override
  public String kind() {
    return "kafka";
  }

  @Override
  protected List<String> command() {
    return JavaCommand.of(
        household(),
        name(),
        KafkaJars.flags(kind(), household(), plan.jvm()),
        KafkaJars.classPath(),
        "kafka.Kafka",
        List.of(properties().toString()));
  }

  /** It does when the controller counts the broker in. */
  @Override
  protected boolean answers() {
    if (!Ports.open(plan.listening())) {
      return false;
    }
    var admin = admin(PROBE_TIMEOUT);
    try {
      return admin.describeCluster().nodes().get().stream()
          .anyMatch(node -> node.id() == plan.node());
    } catch (ExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DevStackException("interrupted while waiting for " + name(), e);
    } finally {
      admin.close(Duration.ZERO);
    }
  }

  private Admin admin(Duration timeout) {
    var millis = Long.toString(timeout.toMillis());
    var settings = new HashMap<String, Object>(administrator());
    settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap());
    settings.put(AdminClientConfig.CLIENT_ID_CONFIG, "cellmesh-devstack");
    settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
    settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
    return Admin.create(settings);
  }

  private Optional<KafkaSecurity> security() {
    return KafkaSecurity.of(household().stateDir());
  }

  private Path data() {
    return dir.resolve("data");
  }

  private Map<String, String> settings() {
    var s = new TreeMap<String, String>();
    s.put("process.roles", "broker,controller");
    s.put("node.id", Integer.toString(plan.node()));
    var security = security();
    var protocol = security.isPresent() ? "SASL_SSL" : "PLAINTEXT";
    var listeners = new ArrayList<String>();
    var advertised = new ArrayList<String>();
    var protocols = new ArrayList<>(List.of("CONTROLLER:PLAINTEXT", "PLAINTEXT:PLAINTEXT"));
    listeners.add(listener(protocol, plan.listening()));
    advertised.add(listener(protocol, plan.port()));
    for (var peer : plan.peers()) {
      var name = peer.datacenter().toUpperCase(Locale.ROOT);
      listeners.add(listener(name, peer.listening()));
      advertised.add(listener(name, peer.port()));
      protocols.add(name + ":PLAINTEXT");
    }
    listeners.add(listener("CONTROLLER", plan.controllerPort()));
    s.put("listeners", String.join(",", listeners));
    s.put("advertised.listeners", String.join(",", advertised));
    s.put("listener.security.protocol.map", String.join(",", protocols));
    security.ifPresent(secured -> s.putAll(secured.brokerSettings()));
    s.put("controller.listener.names", "CONTROLLER");
    s.put(
        "controller.quorum.voters",
        cluster.stream()
            .map(node -> node.node() + "@127.0.0.1:" + node.controllerPort())
            .collect(Collectors.joining(",")));
    s.put("log.dirs", data().toString());
    s.put("auto.create.topics.enable", "false");
    s.put("message.max.bytes", Integer.toString(MAX_MESSAGE_BYTES));
    s.put("replica.fetch.max.bytes", Integer.toString(MAX_MESSAGE_BYTES));
    s.put("log.retention.ms", "-1");
    s.put("log.retention.bytes", "-1");
    s.putAll(copies(cluster.size()));
    s.putAll(small());
    return s;
  }

  private static String listener(String name, int port) {
    return name + "://127.0.0.1:" + port;
  }

  /** What is said three times may miss one of those who know it. */
  private static Map<String, String> copies(int nodes) {
    var factor = Integer.toString(nodes);
    var least = nodes > 2 ? "2" : "1";
    var s = new TreeMap<String, String>();
    s.put("default.replication.factor", factor);
    s.put("min.insync.replicas", least);
    for (var topic : List.of("offsets.topic", "transaction.state.log")) {
      s.put(topic + ".replication.factor", factor);
      s.put(topic + ".num.partitions", "8");
    }
    s.put("transaction.state.log.min.isr", least);
    s.put("share.coordinator.state.topic.replication.factor", factor);
    s.put("share.coordinator.state.topic.min.isr", least);
    s.put("group.initial.rebalance.delay.ms", "0");
    // A lone one has no other broker to hand anything to.
    s.put("controlled.shutdown.enable", Boolean.toString(nodes > 1));
    // After a start it serves once a heartbeat has said so, and again only when the session of its
    // earlier run is over.
    s.put("broker.heartbeat.interval.ms", "500");
    s.put("broker.session.timeout.ms", "5000");
    return s;
  }

  private static Map<String, String> small() {
    return Map.of(
        "num.network.threads", "2",
        "num.io.threads", "4",
        "background.threads", "2",
        "log.cleaner.dedupe.buffer.size", Integer.toString(16 << 20),
        "log.index.size.max.bytes", Integer.toString(2 << 20));
  }
}
