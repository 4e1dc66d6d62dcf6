package io.cellmesh.devstack;

import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.devstack.StackPlan.WorkerPlan;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A distributed Connect worker in a JVM of its own. It finds plugins the way a production worker
 * does: each archive in a class loader of its own, through META-INF/services alone.
 */
public final class ConnectWorker extends Child {
  private static final Duration READY_TIMEOUT = Duration.ofSeconds(240);
  private static final String TRUST_STORE = "truststore";
  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

  private final WorkerPlan plan;
  private final String bootstrap;
  private final Optional<RestSecurity> rest;
  private final ConnectClient client;

  ConnectWorker(WorkerPlan plan, String bootstrap, Household household) {
    super(plan.name(), READY_TIMEOUT, household);
    this.plan = plan;
    this.bootstrap = bootstrap;
    this.rest = RestSecurity.of(household.stateDir());
    this.client =
        new ConnectClient(
            URI.create(url()), rest.map(RestSecurity::login), rest.map(RestSecurity::trust));
  }

  /** Writes its configuration, and makes the one directory that references may point into. */
  void prepare() {
    try {
      OwnersFile.directory(secrets());
      var certificates = Certificates.of(household().stateDir());
      if (certificates.isPresent()) {
        OwnersFile.write(secrets().resolve(TRUST_STORE), certificates.get().trustStorePassword());
      }
    } catch (IOException e) {
      throw new DevStackException(secrets() + " can't be made", e);
    }
    KafkaJars.write(properties(), settings(), plan.settings());
  }

  /**
   * Changes its configuration from its next start on.
   *
   * @param more settings, in place of what is there
   */
  public void reconfigure(Map<String, String> more) {
    var changed = new TreeMap<>(plan.settings());
    changed.putAll(more);
    KafkaJars.write(properties(), settings(), changed);
  }

  /** {@code http://127.0.0.1:PORT}, or https where it is protected. */
  public String url() {
    return url(rest.isPresent(), plan);
  }

  static String url(boolean secured, WorkerPlan plan) {
    return "%s://127.0.0.1:%d".formatted(secured ? "https" : "http", plan.port());
  }

  public int port() {
    return plan.port();
  }

  public ConnectClient client() {
    return client;
  }

  /** Its worker.properties. */
  public Path properties() {
    return household().stateDir().resolve(name()).resolve("worker.properties");
  }

  private Path secrets() {
    return household().stateDir().toAbsolutePath().resolve("secrets");
  }

  @Override
  public String kind() {
    return "connect";
  }

  @Override
  protected List<String> command() {
    var flags = new ArrayList<>(plan.jvm());
    rest.ifPresent(security -> flags.add(security.jvmFlag()));
    return JavaCommand.of(
        household(),
        name(),
        KafkaJars.flags(kind(), household(), flags),
        KafkaJars.classPath(),
        "org.apache.kafka.connect.cli.ConnectDistributed",
        List.of(properties().toString()));
  }

  @Override
  protected boolean answers() {
    return Ports.open(plan.port()) && client.isHealthy();
  }

  private Map<String, String> settings() {
    var s = new TreeMap<String, String>();
    s.put("bootstrap.servers", bootstrap);
    s.put("group.id", plan.group());
    s.put("client.id", name());
    s.put("listeners", url());
    s.put("rest.advertised.host.name", "127.0.0.1");
    s.put("rest.advertised.port", Integer.toString(plan.port()));
    s.put("key.converter", BYTES);
    s.put("value.converter", BYTES);
    s.put("plugin.discovery", "service_load");
    if (!plan.plugins().isEmpty()) {
      s.put("plugin.path", String.join(",", plan.plugins()));
    }
    for (var topic : List.of("config", "offset", "status")) {
      s.put(topic + ".storage.topic", "_" + plan.group() + "-" + topic);
      // As many as the brokers say.
      s.put(topic + ".storage.replication.factor", "-1");
    }
    s.put("offset.storage.partitions", "4");
    s.put("status.storage.partitions", "2");
    s.put("offset.flush.interval.ms", "5000");
    // A lost worker is noticed after six seconds, the shortest that brokers grant, and the others
    // hear of it with their next heartbeat. By default its tasks would then rest for five minutes,
    // in case it comes back.
    s.put("session.timeout.ms", "6000");
    s.put("heartbeat.interval.ms", "500");
    s.put("scheduled.rebalance.max.delay.ms", "0");
    s.put("exactly.once.source.support", "disabled");
    s.put("config.providers", "env,directory,file");
    s.put("config.providers.file.class", provider("FileConfigProvider"));
    s.put("config.providers.env.class", provider("EnvVarConfigProvider"));
    s.put("config.providers.directory.class", provider("DirectoryConfigProvider"));
    // Whoever may post a connector must not thereby read what else this user may.
    s.put("config.providers.file.param.allowed.paths", secrets().toString());
    s.put("config.providers.directory.param.allowed.paths", secrets().toString());
    s.put("config.providers.env.param.allowlist.pattern", "CELLMESH_.*");
    rest.ifPresent(security -> s.putAll(security.workerSettings()));
    KafkaSecurity.of(household().stateDir())
        .ifPresent(security -> s.putAll(clients(security.administrator())));
    Certificates.of(household().stateDir())
        .map(Certificates::trustStorePassword)
        .ifPresent(
            password ->
                s.replaceAll(
                    (name, value) ->
                        value.equals(password)
                            ? "${directory:%s:%s}".formatted(secrets(), TRUST_STORE)
                            : value));
    return s;
  }

  /**
   * The settings of a worker that signs on to Kafka: itself, and unless they say another user the
   * clients that it opens for its connectors.
   *
   * @param client settings of one client
   */
  public static Map<String, String> clients(Map<String, String> client) {
    var settings = new TreeMap<String, String>();
    for (var prefix : List.of("", "producer.", "consumer.", "admin.")) {
      client.forEach((name, value) -> settings.put(prefix + name, value));
    }
    return settings;
  }

  private static String provider(String name) {
    return "org.apache.kafka.common.config.provider." + name;
  }
}
