package io.cellmesh.operations.status;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.deployment.PeerAccess;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.mesh.LinkHolds;
import io.cellmesh.operations.mesh.LinkPlace;
import io.cellmesh.operations.trigger.TriggerInspection;
import io.cellmesh.operations.trigger.TriggerSite;
import io.cellmesh.storage.index.IndexVersion;
import io.cellmesh.topics.Consumers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.utils.Utils;

/**
 * How Kafka is, and the Streams applications, by the consumer groups that they are in. One that was
 * killed counts as a member until its session is over.
 */
final class KafkaStatus implements AutoCloseable {
  /** A broker under load may take long to answer; one that accepts no connection is down. */
  private static final int ANSWER_SECONDS = 15;

  private static final int CONNECT_MILLIS = 5_000;
  private static final String LINK = "herb-replicator";

  private final Deployment deployment;
  private final Map<String, Admin> admins = new HashMap<>();
  private final Map<String, Part> brokers = new HashMap<>();

  KafkaStatus(Deployment deployment) throws InterruptedException {
    this.deployment = deployment;
    for (var dc : deployment.datacenters()) {
      brokers.put(dc.name(), look(dc));
    }
  }

  Part brokers(DataCenter dc) {
    return brokers.get(dc.name());
  }

  /**
   * @param indexes that the data centre has; each pass of index-streams is an application
   */
  List<Part> applications(DataCenter dc, List<IndexVersion> indexes) throws InterruptedException {
    var instance = deployment.instance();
    var parts = new ArrayList<Part>();
    for (var pass : indexes.stream().map(IndexVersion::pass).distinct().toList()) {
      parts.add(
          group(
              dc, dc, "index-streams", "pass " + pass, InstanceNames.application(instance, pass)));
    }
    for (var peer : deployment.datacenters()) {
      if (!peer.equals(dc)) {
        parts.add(link(dc, peer));
      }
    }
    return parts;
  }

  /**
   * A line for each trigger that is created; none while Kafka is down or can't be seen, which has
   * its own line.
   */
  List<Part> triggers(DataCenter dc) throws InterruptedException {
    if (!answers(dc)) {
      return List.of();
    }
    try (var inspection = new TriggerInspection(new TriggerSite(dc))) {
      return inspection.all().stream().map(trigger -> TriggerPart.of(dc.name(), trigger)).toList();
    } catch (KafkaException | OperationException e) {
      return List.of(
          new Part(dc.name(), TriggerPart.NAME, "", false, "not known: " + e.getMessage()));
    }
  }

  @Override
  public void close() {
    admins.values().forEach(Admin::close);
  }

  private boolean answers(DataCenter dc) {
    return admins.containsKey(dc.name()) && brokers.get(dc.name()).up();
  }

  /** Of one that answers the client is kept. */
  private Part look(DataCenter dc) throws InterruptedException {
    if (deployment.hidesBrokers(dc)) {
      return Part.unseen(
          dc.name(), "kafka", "", "it is read over HTTP, and the deployment does not name it");
    }
    KafkaAccess kafka;
    try {
      kafka = dc.kafka();
    } catch (DeploymentException e) {
      return new Part(dc.name(), "kafka", "", false, "not known: " + e.getMessage());
    }
    if (!accepts(kafka)) {
      return new Part(dc.name(), "kafka", kafka.bootstrap(), false, "does not answer");
    }
    try {
      var admin = Consumers.admin(kafka);
      admins.put(dc.name(), admin);
      int nodes = admin.describeCluster().nodes().get(ANSWER_SECONDS, TimeUnit.SECONDS).size();
      var detail = nodes == 1 ? "one broker" : nodes + " brokers";
      return new Part(dc.name(), "kafka", kafka.bootstrap(), true, detail);
    } catch (KafkaException e) {
      return new Part(dc.name(), "kafka", kafka.bootstrap(), false, e.getMessage());
    } catch (ExecutionException e) {
      // One that answers and refuses is no broker to be started again.
      boolean silent = e.getCause() instanceof RetriableException;
      var why = silent ? "does not answer" : e.getCause().getMessage();
      return new Part(dc.name(), "kafka", kafka.bootstrap(), false, why);
    } catch (TimeoutException e) {
      return new Part(dc.name(), "kafka", kafka.bootstrap(), false, "does not answer");
    }
  }

  /**
   * Whether any of the brokers takes connections, as a client would wait long to find out. One
   * whose name can't be resolved does not; what is no address the client itself refuses.
   */
  private static boolean accepts(KafkaAccess kafka) {
    for (var listed : kafka.bootstrap().split(",")) {
      try (var socket = new Socket()) {
        var address = listed.strip();
        var host = Utils.getHost(address);
        var port = Utils.getPort(address);
        if (host == null || port == null) {
          return true;
        }
        socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
        return true;
      } catch (IllegalArgumentException e) {
        return true;
      } catch (IOException e) {
        // The next may.
      }
    }
    return false;
  }

  /** A link that does not run may be held, or halted, and on what stands in its peer's log. */
  private Part link(DataCenter dc, DataCenter peer) throws InterruptedException {
    boolean http = dc.mesh().peer(peer.name()) instanceof PeerAccess.Http;
    var part =
        http
            ? overHttp(dc, peer)
            : group(dc, peer, LINK, "from " + peer.name(), LinkPlace.group(dc));
    if (part.up() && !http || !answers(dc)) {
      return part;
    }
    try {
      var held = new LinkHolds(dc).of(peer.name());
      if (held.isPresent()) {
        return new Part(part.datacenter(), part.name(), part.address(), true, held.get().text());
      }
      if (!answers(peer)) {
        return part;
      }
      return LinkPlace.of(dc, peer).findings().stream()
          .findFirst()
          .map(
              finding ->
                  new Part(
                      part.datacenter(),
                      part.name(),
                      part.address(),
                      false,
                      "is halted: %s; see `cellmesh mesh check`".formatted(finding)))
          .orElse(part);
    } catch (KafkaException e) {
      return part;
    }
  }

  /** Over HTTP it is in no group: whether a process of it runs can't be seen from here. */
  private Part overHttp(DataCenter dc, DataCenter peer) {
    if (deployment.hidesBrokers(dc)) {
      return unseen(dc, LINK, "from " + peer.name());
    }
    boolean known = answers(dc);
    return new Part(
        dc.name(),
        LINK,
        "from " + peer.name(),
        known,
        known
            ? "reads over HTTP, so its /health says how it is"
            : "not known, for " + dc.name() + "'s Kafka is down");
  }

  private static Part unseen(DataCenter dc, String name, String which) {
    return Part.unseen(dc.name(), name, which, "its /health says how it is");
  }

  /**
   * @param dc where the application runs
   * @param at where its group is
   */
  private Part group(DataCenter dc, DataCenter at, String name, String which, String group)
      throws InterruptedException {
    if (deployment.hidesBrokers(at)) {
      return unseen(dc, name, which);
    }
    if (!answers(at)) {
      return new Part(
          dc.name(), name, which, false, "not known, for " + at.name() + "'s Kafka is down");
    }
    try {
      var described =
          admins
              .get(at.name())
              .describeConsumerGroups(List.of(group))
              .describedGroups()
              .get(group)
              .get(ANSWER_SECONDS, TimeUnit.SECONDS);
      int members = described.members().size();
      boolean up = described.groupState() == GroupState.STABLE && members > 0;
      var detail = members == 1 ? "1 thread" : members + " threads";
      return new Part(
          dc.name(),
          name,
          which,
          up,
          up
              ? detail
              : members == 0
                  ? "does not run, or is halted, as its log and its /health say"
                  : detail + ", about to meet");
    } catch (ExecutionException e) {
      boolean never = e.getCause() instanceof GroupIdNotFoundException;
      return new Part(
          dc.name(), name, which, false, never ? "has never run" : e.getCause().getMessage());
    } catch (TimeoutException e) {
      return new Part(dc.name(), name, which, false, "not known: Kafka does not answer");
    }
  }
}
