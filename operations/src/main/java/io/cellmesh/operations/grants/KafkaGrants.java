package io.cellmesh.operations.grants;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.PeerAccess;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.LogShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.acl.AclOperation;

/**
 * The ACLs that let a role do its work on Kafka, and nothing else. Who may read or write a topic
 * may describe it, too, so that stands nowhere by itself.
 *
 * @param dc where the role does its work
 * @param worker of its Connect cluster, if it is known
 */
public record KafkaGrants(
    Deployment deployment, DataCenter dc, LogShape shape, Optional<WorkerNames> worker) {

  /** What a role needs on the brokers of one data centre. */
  public record OfDataCenter(DataCenter dc, List<KafkaAcl> acls) {
    public OfDataCenter {
      acls = List.copyOf(acls);
    }

    /**
     * The commands of Kafka's own tool that allow it; they may run again.
     *
     * @param administrator a file with the settings of a client that may change ACLs
     */
    public List<String> commands(String user, String administrator) {
      return acls.stream()
          .map(
              acl ->
                  "kafka-acls.sh --bootstrap-server %s --command-config %s --add --allow-principal 'User:%s' %s"
                      .formatted(dc.kafka().bootstrap(), administrator, user, acl.options()))
          .toList();
    }
  }

  /**
   * Lists what a role needs.
   *
   * @param group of a consumer
   * @throws OperationException if a Connect worker's names must be known and are not
   */
  public List<OfDataCenter> of(KafkaRole role, String group) {
    return role == KafkaRole.HERB_REPLICATOR
        ? herb()
        : List.of(new OfDataCenter(dc, here(role, group)));
  }

  private List<KafkaAcl> here(KafkaRole role, String group) {
    return switch (role) {
      case SINK ->
          List.of(
              KafkaAcl.topic(topics().cells(), READ),
              KafkaAcl.topic(topics().mesh(), READ),
              KafkaAcl.topic(topics().rejected(), WRITE),
              KafkaAcl.group(InstanceNames.cellSink(instance()), READ));
      case SOURCE -> source();
      case INDEX ->
          List.of(
              KafkaAcl.topics(topics().index(""), READ),
              KafkaAcl.topic(topics().unindexed(), WRITE),
              KafkaAcl.groups("connect-%s-index-sink-".formatted(instance()), READ));
      case INDEX_STREAMS ->
          List.of(
              KafkaAcl.topic(topics().log(), READ),
              KafkaAcl.topic(topics().passes(), READ),
              KafkaAcl.topics(topics().indexBackfill(""), READ),
              KafkaAcl.topics(topics().index(""), WRITE),
              KafkaAcl.topic(topics().unindexed(), WRITE),
              // The state that Streams keeps there.
              KafkaAcl.topics(application(), READ, WRITE, CREATE),
              KafkaAcl.groups(application(), READ));
      case TRIGGER ->
          List.of(
              log(READ),
              KafkaAcl.topics(topics().trigger(""), READ),
              KafkaAcl.topic(topics().triggerState(), READ, WRITE),
              KafkaAcl.topic(topics().parked(), READ, WRITE),
              KafkaAcl.groups(trigger(), READ),
              // What is parked and where the group stands are one transaction.
              KafkaAcl.transactions(trigger(), WRITE));
      case WORKER ->
          List.of(
              KafkaAcl.topic(topics().cells(), WRITE),
              // Why a record was refused.
              KafkaAcl.topic(topics().rejected(), READ),
              // How far the sink has secured them.
              KafkaAcl.group(InstanceNames.cellSink(instance()), DESCRIBE),
              // What the log has, to hold the tables against it, and what came of that.
              KafkaAcl.topic(topics().checkpoint(), READ, WRITE),
              KafkaAcl.group(InstanceNames.scrubGroup(instance()), READ));
      case CONNECT_WORKER -> worker(need());
      case PRODUCER -> List.of(KafkaAcl.topic(topics().cells(), WRITE));
      case CONSUMER -> List.of(log(READ), KafkaAcl.group(group, READ));
      case OPERATOR -> operator();
      case HERB_REPLICATOR -> throw new IllegalArgumentException(role.text());
    };
  }

  private List<KafkaAcl> source() {
    var acls = new ArrayList<KafkaAcl>();
    acls.add(log(WRITE));
    acls.add(KafkaAcl.topics(topics().trigger(""), WRITE));
    acls.add(KafkaAcl.topic(topics().heartbeat(), WRITE));
    if (worker.isPresent() && worker.get().exactlyOnce()) {
      // The log's records and the offsets are one transaction, so the source writes both.
      acls.add(KafkaAcl.topic(worker.get().offsets(), READ, WRITE));
      acls.add(
          KafkaAcl.transactions(
              "%s-%s-source-".formatted(worker.get().group(), instance()), WRITE));
    }
    return acls;
  }

  private static List<KafkaAcl> worker(WorkerNames names) {
    var acls = new ArrayList<KafkaAcl>();
    acls.add(KafkaAcl.group(names.group(), READ));
    // It makes them when they are not there, and looks whether they are compacted.
    for (var topic : names.others()) {
      acls.add(KafkaAcl.topic(topic, READ, WRITE, CREATE, DESCRIBE_CONFIGS));
    }
    acls.add(KafkaAcl.topic(names.offsets(), READ, WRITE, CREATE, DESCRIBE_CONFIGS));
    if (names.exactlyOnce()) {
      acls.add(KafkaAcl.transaction("connect-cluster-" + names.group(), WRITE));
    }
    return acls;
  }

  private List<KafkaAcl> operator() {
    return List.of(
        KafkaAcl.topics(instance() + ".", READ, CREATE, DESCRIBE_CONFIGS),
        // To rebuild the log, and to build and drop indexes.
        log(DELETE),
        KafkaAcl.topics(topics().trigger(""), DELETE),
        KafkaAcl.topic(topics().passes(), WRITE),
        KafkaAcl.topics(topics().indexBackfill(""), WRITE, DELETE),
        KafkaAcl.topics(topics().index(""), DELETE),
        KafkaAcl.topics(application(), DELETE),
        KafkaAcl.groups(application(), READ, DELETE),
        KafkaAcl.groups("connect-%s-".formatted(instance()), DESCRIBE),
        // To accept that a link goes on behind what is lost, to hold it, and to remove it.
        KafkaAcl.topic(topics().meshPlace(), WRITE),
        KafkaAcl.groups("%s-herb-".formatted(instance()), READ, DELETE),
        // To relay what a data centre that is gone had sent to some alone, and to forget it.
        KafkaAcl.topic(topics().mesh(), WRITE),
        KafkaAcl.topic(topics().checkpoint(), WRITE),
        // To write a seed for a data centre that joins, and to delete it.
        KafkaAcl.topics(topics().seed(""), WRITE, DELETE),
        KafkaAcl.transactions(InstanceNames.seedTransaction(instance(), ""), WRITE),
        // To create triggers, to ask something of them, and to delete them.
        KafkaAcl.topic(topics().triggerState(), WRITE),
        KafkaAcl.groups(trigger(), DELETE),
        KafkaAcl.transactions(trigger(), WRITE));
  }

  /**
   * Here it writes, and folds what is here, which peers may read over HTTP, too; of each peer that
   * it reads on its brokers it reads the log, in a group that bears this one's name, and what was
   * folded there.
   */
  private List<OfDataCenter> herb() {
    var here = new ArrayList<KafkaAcl>();
    here.add(KafkaAcl.topic(topics().mesh(), READ, WRITE));
    here.add(KafkaAcl.topic(topics().rejected(), WRITE));
    // How far the sink is, so that no link brings more than that takes.
    here.add(KafkaAcl.group(InstanceNames.cellSink(instance()), DESCRIBE));
    // And whether own cells come, of which a backlog takes no more than a share.
    here.add(KafkaAcl.topic(topics().cells(), DESCRIBE));
    // What it folds, and where it writes that down.
    here.add(KafkaAcl.topic(topics().log(), READ));
    here.add(KafkaAcl.topic(topics().checkpoint(), READ, WRITE));
    here.add(KafkaAcl.groups(proof(), READ));
    here.add(KafkaAcl.transactions(proof(), WRITE));
    // Peers that read over HTTP have their seeds from it.
    here.add(KafkaAcl.topics(topics().seed(""), READ));
    // It makes this one for instances that are older than the topic.
    here.add(KafkaAcl.topic(topics().meshPlace(), READ, WRITE, CREATE));
    var all = new ArrayList<OfDataCenter>();
    all.add(new OfDataCenter(dc, here));
    for (var peer : deployment.datacenters()) {
      if (!peer.name().equals(dc.name())
          && dc.mesh().peer(peer.name()) instanceof PeerAccess.Kafka) {
        all.add(
            new OfDataCenter(
                peer,
                List.of(
                    KafkaAcl.topic(topics().log(), READ),
                    KafkaAcl.topic(topics().meshPlace(), READ),
                    KafkaAcl.topic(topics().checkpoint(), READ),
                    // What stands in for a log that was cut before this data centre joined.
                    KafkaAcl.topic(topics().seed(dc.name()), READ),
                    KafkaAcl.group("%s-herb-%s".formatted(instance(), dc.name()), READ))));
      }
    }
    return all;
  }

  private KafkaAcl log(AclOperation operation) {
    return shape == LogShape.TOPIC
        ? KafkaAcl.topics(topics().log() + ".", operation)
        : KafkaAcl.topic(topics().log(), operation);
  }

  private WorkerNames need() {
    return worker.orElseThrow(
        () ->
            OperationException.invalid(
                "connect-worker needs --worker FILE: the properties of a worker name its group and"
                    + " topics"));
  }

  private String application() {
    return instance() + "-index-";
  }

  private String proof() {
    return InstanceNames.proofGroup(instance(), "");
  }

  private String trigger() {
    return InstanceNames.triggerGroup(instance(), "");
  }

  private String instance() {
    return deployment.instance();
  }

  private Topics topics() {
    return deployment.topics();
  }
}
