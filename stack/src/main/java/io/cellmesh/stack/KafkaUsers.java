package io.cellmesh.stack;

import io.cellmesh.deployment.ConnectorAccess;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.devstack.Certificates;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.KafkaSecurity;
import io.cellmesh.operations.grants.KafkaGrants;
import io.cellmesh.operations.grants.KafkaRole;
import io.cellmesh.operations.grants.WorkerNames;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclBinding;

/**
 * The Kafka users of a stack that asks for them: each connector has one that may do what its role
 * needs, and everything else signs on as the administrator. How connectors sign on stands in a file
 * of the state directory, one a data centre, that only its owner reads.
 */
final class KafkaUsers {
  private static final List<KafkaRole> ROLES =
      List.of(KafkaRole.SINK, KafkaRole.SOURCE, KafkaRole.INDEX);
  private static final String LOGIN = "sasl.jaas.config";
  private static final String TRUST_STORE = "truststore";

  private final Path stateDir;
  private final KafkaSecurity security;
  private final Certificates certificates;

  private KafkaUsers(Path stateDir, KafkaSecurity security) {
    this.stateDir = stateDir;
    this.security = security;
    this.certificates = Certificates.of(stateDir).orElseThrow();
  }

  /** Those of a stack whose brokers are protected; empty for another. */
  static Optional<KafkaUsers> of(Path stateDir) {
    return KafkaSecurity.of(stateDir).map(security -> new KafkaUsers(stateDir, security));
  }

  /** Makes the users of all data centres, who may do nothing yet. */
  void create(DevStack devStack) throws IOException {
    for (var dc : devStack.datacenters()) {
      var secrets = new Properties();
      for (var role : ROLES) {
        secrets.put(role.text(), devStack.broker(dc).addUser(role.user()).get(LOGIN));
      }
      secrets.put(TRUST_STORE, certificates.trustStorePassword());
      var owners = PosixFilePermissions.fromString("rw-------");
      Files.createFile(file(dc), PosixFilePermissions.asFileAttribute(owners));
      try (var out = Files.newBufferedWriter(file(dc))) {
        secrets.store(out, null);
      }
    }
  }

  /** Lets them do their work in a data centre. */
  void allow(Deployment deployment, DataCenter dc, LogShape shape, Path worker)
      throws IOException, InterruptedException {
    var grants = new KafkaGrants(deployment, dc, shape, Optional.of(WorkerNames.read(worker)));
    var bindings = new ArrayList<AclBinding>();
    for (var role : ROLES) {
      grants.of(role, role.user()).stream()
          .flatMap(of -> of.acls().stream())
          .forEach(acl -> bindings.addAll(acl.bindings(role.user())));
    }
    try (var admin = Consumers.admin(dc.kafka())) {
      admin.createAcls(bindings).all().get();
    } catch (ExecutionException e) {
      throw new KafkaException(e.getCause().getMessage(), e.getCause());
    }
  }

  /** A file with the settings of a client, for {@code cellmesh.yaml}. */
  Path clientFile() {
    return security.clientFile();
  }

  /** How the connectors of a data centre sign on, for {@code cellmesh.yaml}. */
  String yaml(String dc) {
    return "{security.protocol: SASL_SSL, sasl.mechanism: SCRAM-SHA-512, sasl.jaas.config: \"%s\", ssl.truststore.location: \"%s\", ssl.truststore.password: \"%s\"}"
        .formatted(
            reference(dc, ConnectorAccess.ROLE),
            certificates.trustStore(),
            reference(dc, TRUST_STORE));
  }

  private String reference(String dc, String key) {
    return "${file:%s:%s}".formatted(file(dc), key);
  }

  private Path file(String dc) {
    return stateDir.resolve("secrets").resolve("kafka-%s.properties".formatted(dc));
  }
}
