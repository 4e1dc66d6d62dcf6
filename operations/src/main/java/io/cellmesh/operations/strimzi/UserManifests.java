package io.cellmesh.operations.strimzi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.StrimziCluster;
import io.cellmesh.operations.grants.KafkaAcl;
import io.cellmesh.operations.grants.KafkaGrants;
import io.cellmesh.operations.grants.KafkaRole;
import io.cellmesh.operations.grants.WorkerNames;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/** A KafkaUser for each role, with the rights that {@code grants --kafka} gives it. */
public final class UserManifests {
  private final StrimziCluster cluster;
  private final KafkaGrants grants;

  /** Of workers that are named as {@link ConnectManifest} names them. */
  public UserManifests(StrimziCluster cluster, KafkaGrants grants) {
    this.cluster = cluster;
    this.grants = grants;
  }

  /**
   * A user of one data centre's Kafka.
   *
   * @param dc whose brokers know the user
   */
  public record OfDataCenter(DataCenter dc, Manifest manifest) {}

  /** What the workers of the KafkaConnect call their own. */
  public static WorkerNames workers(StrimziCluster cluster) {
    var name = cluster.connect();
    return new WorkerNames(
        name, name + "-offsets", List.of(name + "-configs", name + "-status"), true);
  }

  /** The usual name of a role's user, which is that of its Secret, too: {@code cellmesh-sink}. */
  public static String user(KafkaRole role) {
    return role.user().replace('_', '-');
  }

  /** The user of a role; of a role that also reads at peers, one user there each. */
  public List<OfDataCenter> of(KafkaRole role, String name) {
    var users = new ArrayList<OfDataCenter>();
    for (var each : grants.of(role, name)) {
      boolean here = each.dc().name().equals(grants.dc().name());
      // A peer's own user of this role may do more there, and is another.
      var user = here ? name : name + "-" + grants.dc().name().replace('_', '-');
      users.add(new OfDataCenter(each.dc(), manifest(user, each.acls())));
    }
    return users;
  }

  private Manifest manifest(String name, List<KafkaAcl> acls) {
    var manifest =
        Manifest.of(Manifest.STRIMZI, "KafkaUser", name, cluster)
            .labelled(Manifest.CLUSTER, KafkaResource.name(cluster));
    var spec = manifest.spec();
    var security = KafkaSecurity.of(grants.dc().connectors());
    if (security.authenticates()) {
      spec.putObject("authentication").put("type", security.userType());
    }
    var list = spec.putObject("authorization").put("type", "simple").putArray("acls");
    acls.forEach(acl -> add(list.addObject(), acl));
    return manifest;
  }

  private static void add(ObjectNode json, KafkaAcl acl) {
    var resource = acl.resource();
    json.putObject("resource")
        .put("type", type(resource.resourceType()))
        .put("name", resource.name())
        .put("patternType", resource.patternType() == PatternType.PREFIXED ? "prefix" : "literal");
    var operations = json.putArray("operations");
    acl.operationNames().forEach(operations::add);
  }

  private static String type(ResourceType type) {
    return switch (type) {
      case TOPIC -> "topic";
      case GROUP -> "group";
      case TRANSACTIONAL_ID -> "transactionalId";
      case CLUSTER -> "cluster";
      default -> throw new IllegalArgumentException("a KafkaUser knows no " + type);
    };
  }
}
