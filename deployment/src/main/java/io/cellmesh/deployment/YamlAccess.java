package io.cellmesh.deployment;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.MySqlTls;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.yaml.YamlException;
import io.cellmesh.cell.yaml.YamlTree;
import io.cellmesh.cell.yaml.YamlTree.Mapping;
import io.cellmesh.cell.yaml.YamlTree.Scalar;
import io.cellmesh.deployment.References.UnresolvedException;
import java.io.IOException;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A data centre's part of {@code cellmesh.yaml}. What is wrong with its form is said when it is
 * read; references are resolved when somebody asks for what they are part of.
 */
final class YamlAccess implements DataCenter.Access {
  private static final String KAFKA = "kafka";
  private static final String CONNECT = "connect";
  private static final String MYSQL = "mysql";
  private static final String OPERATOR = "operator";
  private static final String REPLICATION = "replication";
  private static final String CONNECTORS = "connectors";
  private static final String SETTINGS = "settings";
  private static final String STRIMZI = "strimzi";
  private static final String WORKERS = "workers";
  private static final String MESH = "mesh";
  private static final Set<String> CONNECTOR_ROLES = Set.of("sink", "source", "index");

  /** What a connector is, which follows from the topology. */
  private static final Set<String> FIXED = Set.of("name", "connector.class", "topology");

  private static final String USER = "user";
  private static final String PASSWORD = "password";
  private static final String SSL = "ssl";
  private static final String TRUST_STORE = "truststore";
  private static final String TRUST_STORE_PASSWORD = "truststore_password";
  private static final Set<String> SIGN_ON =
      Set.of(USER, PASSWORD, SSL, TRUST_STORE, TRUST_STORE_PASSWORD);

  private final String source;
  private final Path base;
  private final Mapping dc;
  private final Topology topology;

  private YamlAccess(String source, Path base, Mapping dc, Topology topology) {
    this.source = source;
    this.base = base;
    this.dc = dc;
    this.topology = topology;
  }

  /**
   * @param base the directory that files are relative to
   * @throws YamlException naming line and rule
   */
  static YamlAccess of(String source, Path base, Mapping dc, Topology topology) {
    var access = new YamlAccess(source, base, dc, topology);
    access.check();
    return access;
  }

  private void check() {
    section(KAFKA, Set.of("bootstrap", "config")).ifPresent(kafka -> kafka.text("bootstrap"));
    section(CONNECT, Set.of("url", USER, PASSWORD, TRUST_STORE, TRUST_STORE_PASSWORD))
        .ifPresent(
            connect -> {
              url(connect);
              YamlValues.checkReferences(connect, PASSWORD, TRUST_STORE_PASSWORD);
            });
    for (var name : new String[] {MYSQL, OPERATOR, REPLICATION}) {
      section(name, SIGN_ON).ifPresent(this::checkSignOn);
    }
    section(
            CONNECTORS,
            Set.of(
                USER, PASSWORD, SSL, TRUST_STORE, TRUST_STORE_PASSWORD, KAFKA, SETTINGS, STRIMZI))
        .ifPresent(this::checkSignOn);
    connectorKafka();
    connectorSettings();
    strimzi();
    workers();
    yamlMesh();
  }

  private void checkSignOn(Mapping section) {
    section.text(USER);
    YamlValues.checkReferences(section, PASSWORD, TRUST_STORE_PASSWORD);
    mode(section);
  }

  @Override
  public boolean knowsKafka() {
    return has(KAFKA);
  }

  @Override
  public KafkaAccess kafka() {
    return asked(
        KAFKA,
        kafka -> {
          var settings = new LinkedHashMap<String, String>();
          if (kafka.entries().containsKey("config")) {
            settings.putAll(properties(kafka.text("config")));
          }
          return new KafkaAccess(kafka.text("bootstrap").text(), settings);
        });
  }

  private Map<String, String> properties(Scalar file) {
    var path = base.resolve(file.text());
    var properties = new Properties();
    try (var in = Files.newBufferedReader(path)) {
      properties.load(in);
    } catch (IOException | IllegalArgumentException e) {
      throw YamlTree.refuse(file, "config: %s can't be read".formatted(path));
    }
    var settings = new LinkedHashMap<String, String>();
    properties.forEach((key, value) -> settings.put(key.toString(), value.toString()));
    settings.remove("bootstrap.servers");
    try {
      return References.resolve(settings);
    } catch (UnresolvedException e) {
      throw YamlTree.refuse(file, "config: %s: %s".formatted(path, e.getMessage()));
    }
  }

  @Override
  public boolean knowsConnect() {
    return has(CONNECT);
  }

  @Override
  public ConnectAccess connect() {
    return asked(
        CONNECT,
        connect -> {
          var login =
              YamlValues.optional(connect, USER)
                  .map(
                      user ->
                          new PasswordAuthentication(user.text(), secret(connect).toCharArray()));
          return new ConnectAccess(url(connect), login, trust(connect));
        });
  }

  @Override
  public List<URI> workers() {
    if (!has(WORKERS)) {
      return List.of();
    }
    var urls = new ArrayList<URI>();
    for (var item : dc.list(WORKERS)) {
      if (!(item instanceof Scalar text)) {
        throw YamlTree.refuse(item, WORKERS + " must be a list of texts");
      }
      urls.add(YamlValues.url(WORKERS, text));
    }
    return List.copyOf(urls);
  }

  @Override
  public MeshAccess mesh() {
    return yamlMesh().map(mesh -> asked(MESH, section -> mesh.access())).orElse(MeshAccess.USUAL);
  }

  @Override
  public Optional<MeshTls> meshTls() {
    return yamlMesh().flatMap(mesh -> asked(MESH, section -> mesh.tls()));
  }

  /**
   * Refuses links to what is no other data centre of the deployment.
   *
   * @param others all but this one
   */
  void checkPeers(Set<String> others) {
    yamlMesh().ifPresent(mesh -> mesh.checkPeers(others));
  }

  private Optional<YamlMesh> yamlMesh() {
    return Optional.ofNullable(dc.entries().get(MESH)).map(mesh -> new YamlMesh(base, mesh));
  }

  private static URI url(Mapping connect) {
    return YamlValues.url("url", connect.text("url"));
  }

  private Optional<SSLContext> trust(Mapping connect) {
    return YamlValues.optional(connect, TRUST_STORE)
        .map(
            store -> {
              try {
                var managers =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                managers.init(YamlValues.store(base, connect, TRUST_STORE, TRUST_STORE_PASSWORD));
                var context = SSLContext.getInstance("TLS");
                context.init(null, managers.getTrustManagers(), null);
                return context;
              } catch (GeneralSecurityException e) {
                throw YamlValues.unreadable(base, connect, TRUST_STORE);
              }
            });
  }

  @Override
  public boolean knowsMySql() {
    return has(MYSQL) || has(OPERATOR);
  }

  @Override
  public Credentials reader() {
    return asked(MYSQL, this::credentials);
  }

  @Override
  public Credentials operator() {
    return has(OPERATOR) ? asked(OPERATOR, this::credentials) : reader();
  }

  @Override
  public Credentials replication() {
    return has(REPLICATION) ? asked(REPLICATION, this::credentials) : operator();
  }

  private Credentials credentials(Mapping section) {
    // TLS is the same for everybody here, so it is said once.
    var tls = section.entries().containsKey(SSL) ? section : mysqlOr(section);
    var store =
        YamlValues.optional(tls, TRUST_STORE).map(file -> base.resolve(file.text()).toString());
    try {
      return new Credentials(
          section.text(USER).text(),
          secret(section),
          MySqlTls.of(mode(tls), store.orElse(""), YamlValues.resolved(tls, TRUST_STORE_PASSWORD)));
    } catch (YamlException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw YamlTree.refuse(tls, TRUST_STORE + ": " + e.getMessage());
    }
  }

  private Mapping mysqlOr(Mapping section) {
    return dc.entries().get(MYSQL) instanceof Mapping mysql ? mysql : section;
  }

  private MySqlTls.Mode mode(Mapping section) {
    var said =
        YamlValues.optional(section, SSL).or(() -> YamlValues.optional(mysqlOr(section), SSL));
    try {
      return MySqlTls.mode(said.map(Scalar::text).orElse(""), topology);
    } catch (IllegalArgumentException e) {
      throw YamlTree.refuse(said.<YamlTree>map(s -> s).orElse(section), "ssl: " + e.getMessage());
    }
  }

  @Override
  public ConnectorAccess connectors() {
    return asked(
        CONNECTORS,
        connectors -> {
          var kafka = new LinkedHashMap<>(connectorKafka());
          var bootstrap = kafka.remove("bootstrap.servers");
          var store =
              YamlValues.optional(connectors, TRUST_STORE).map(file -> Path.of(file.text()));
          try {
            return new ConnectorAccess(
                connectors.text(USER).text(),
                YamlValues.optional(connectors, PASSWORD).map(Scalar::text).orElse(""),
                new MySqlTls(
                    mode(connectors),
                    store,
                    YamlValues.optional(connectors, TRUST_STORE_PASSWORD)
                        .map(Scalar::text)
                        .orElse("")),
                bootstrap == null ? brokers() : bootstrap,
                kafka,
                connectorSettings());
          } catch (YamlException | DeploymentException e) {
            throw e;
          } catch (IllegalArgumentException e) {
            throw YamlTree.refuse(connectors, TRUST_STORE + ": " + e.getMessage());
          }
        });
  }

  /** Nobody's secrets are needed to say where the brokers are. */
  private String brokers() {
    return asked(KAFKA, kafka -> kafka.text("bootstrap").text());
  }

  @Override
  public Optional<StrimziCluster> strimzi() {
    if (!(dc.entries().get(CONNECTORS) instanceof Mapping connectors
        && connectors.entries().containsKey(STRIMZI))) {
      return Optional.empty();
    }
    var said = connectors.required(STRIMZI).mapping(STRIMZI);
    said.allow(STRIMZI, Set.of("namespace", CONNECT, KAFKA));
    try {
      return Optional.of(
          new StrimziCluster(
              YamlValues.optional(said, "namespace").map(Scalar::text),
              said.text(CONNECT).text(),
              YamlValues.optional(said, KAFKA).map(Scalar::text)));
    } catch (YamlException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw YamlTree.refuse(said, STRIMZI + ": " + e.getMessage());
    }
  }

  private Map<String, String> connectorKafka() {
    return dc.entries().get(CONNECTORS) instanceof Mapping connectors
            && connectors.entries().containsKey(KAFKA)
        ? YamlValues.texts(connectors.required(KAFKA).mapping(KAFKA))
        : Map.of();
  }

  private Map<String, Map<String, String>> connectorSettings() {
    var settings = new LinkedHashMap<String, Map<String, String>>();
    if (dc.entries().get(CONNECTORS) instanceof Mapping connectors
        && connectors.entries().containsKey(SETTINGS)) {
      for (var role : connectors.required(SETTINGS).mapping(SETTINGS).entries().entrySet()) {
        var own = role.getValue().mapping(role.getKey());
        if (!CONNECTOR_ROLES.contains(role.getKey())) {
          throw YamlTree.refuse(own, role.getKey() + " is none of sink, source and index");
        }
        settings.put(role.getKey(), YamlValues.texts(own));
        for (var name : FIXED) {
          if (own.entries().containsKey(name)) {
            throw YamlTree.refuse(own.required(name), name + " follows from the topology");
          }
        }
      }
    }
    return settings;
  }

  private String secret(Mapping section) {
    return YamlValues.resolved(section, PASSWORD);
  }

  private boolean has(String section) {
    return dc.entries().containsKey(section);
  }

  private Optional<Mapping> section(String name, Set<String> known) {
    return Optional.ofNullable(dc.entries().get(name))
        .map(node -> node.mapping(name).allow(name, known));
  }

  private <T> T asked(String name, Function<Mapping, T> made) {
    if (!(dc.entries().get(name) instanceof Mapping section)) {
      throw new DeploymentException(
          "%s: line %d: %s of %s is missing, and is needed for this"
              .formatted(source, dc.line(), name, dc.text("name").text()));
    }
    try {
      return made.apply(section);
    } catch (YamlException e) {
      throw new DeploymentException(source + ": " + e.getMessage(), e);
    }
  }
}
