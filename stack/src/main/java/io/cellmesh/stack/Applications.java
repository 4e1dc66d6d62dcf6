package io.cellmesh.stack;

import io.cellmesh.cell.InstanceNames;
import io.cellmesh.connect.client.Waiting;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.JavaApp;
import io.cellmesh.operations.status.Part;
import io.cellmesh.operations.status.WorkerStatus;
import io.cellmesh.topics.Consumers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaException;

/** The Streams applications and the workers of all data centres, each a JVM of its own. */
final class Applications {
  private static final Duration START = Duration.ofSeconds(90);
  private static final Duration POLL = Duration.ofMillis(250);

  /** Their logs say which. */
  private static final String ANY_PORT = "0";

  /**
   * What a link reads of a backlog lives for a second. A heap that grew from 32 MiB, a third of it
   * for the young, was collected as a whole 11 to 28 times in nine minutes of chaos; this one 7 to
   * 16 times in fourteen.
   */
  private static final List<String> FLAGS =
      List.of("-Xms128m", "-Xmn64m", "-Xmx256m", "-XX:+UseSerialGC");

  /** Bodies of many answers at once lie in its heap. */
  private static final List<String> WORKER_FLAGS =
      List.of("-Xms32m", "-Xmx512m", "-XX:+UseSerialGC");

  /** In minutes what the second compiler makes does not pay for the processors that it takes. */
  private static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";

  private final DevStack devStack;
  private final Deployment deployment;
  private final boolean indexed;
  private final boolean undisturbed;
  private final Path home;
  private final List<Group> groups = new ArrayList<>();
  private final Map<DataCenter, JavaApp> workers = new LinkedHashMap<>();

  /**
   * A consumer group that an application joins.
   *
   * @param kafka whose brokers have it
   * @param prefix how its name begins
   */
  private record Group(JavaApp app, KafkaAccess kafka, String prefix) {}

  /**
   * @param indexed whether there are indexes to keep
   * @param undisturbed whether they are measured, and so run as where they run for days
   */
  Applications(
      DevStack devStack, Deployment deployment, boolean indexed, boolean undisturbed, Path home) {
    this.devStack = devStack;
    this.deployment = deployment;
    this.indexed = indexed;
    this.undisturbed = undisturbed;
    this.home = home;
  }

  /** Starts what every data centre needs; the topics must exist. */
  void start() {
    for (var dc : deployment.datacenters()) {
      if (indexed) {
        var app = devStack.startApp(indexStreams(dc));
        groups.add(new Group(app, dc.kafka(), deployment.instance() + "-index-"));
      }
      if (deployment.datacenters().size() > 1) {
        var app = devStack.startApp(herbReplicator(dc));
        for (var peer : peersOf(dc)) {
          groups.add(
              new Group(
                  app, peer.kafka(), InstanceNames.linkGroup(deployment.instance(), dc.name())));
        }
      }
      for (var url : dc.workers()) {
        workers.put(dc, devStack.startApp(worker(dc, url.getPort())));
      }
    }
  }

  /** Returns once the consumer groups of all of them have met, and the workers can serve. */
  void awaitReady() throws InterruptedException {
    for (var group : groups) {
      await(group);
    }
    for (var worker : workers.entrySet()) {
      await(worker.getKey(), worker.getValue());
    }
  }

  private JavaApp.Spec indexStreams(DataCenter dc) {
    var name = dc.name() + "-index-streams";
    var arguments =
        List.of(
            "--deployment",
            deployment.source(),
            "--dc",
            dc.name(),
            "--state-dir",
            devStack.stateDir().resolve(name).resolve("state").toString(),
            "--health-port",
            ANY_PORT);
    return new JavaApp.Spec(
        name,
        CellmeshHome.application(home, "index-streams"),
        "io.cellmesh.index.IndexStreamsMain",
        arguments,
        Map.of(),
        jvm(FLAGS));
  }

  private JavaApp.Spec herbReplicator(DataCenter dc) {
    var arguments =
        List.of(
            "--deployment", seenFrom(dc).toString(), "--dc", dc.name(), "--health-port", ANY_PORT);
    return new JavaApp.Spec(
        dc.name() + "-herb-replicator",
        CellmeshHome.application(home, "herb-replicator"),
        "io.cellmesh.herb.HerbReplicatorMain",
        arguments,
        Map.of(),
        jvm(FLAGS));
  }

  private JavaApp.Spec worker(DataCenter dc, int port) {
    var arguments =
        List.of(
            "worker",
            "run",
            "--deployment",
            deployment.source(),
            "--dc",
            dc.name(),
            "--port",
            Integer.toString(port));
    return new JavaApp.Spec(
        dc.name() + "-worker",
        CellmeshHome.application(home, "cli"),
        "io.cellmesh.cli.Main",
        arguments,
        Map.of(),
        jvm(WORKER_FLAGS));
  }

  private List<String> jvm(List<String> flags) {
    return undisturbed ? flags : Stream.concat(flags.stream(), Stream.of(FIRST_COMPILER)).toList();
  }

  /** The deployment with its peers' brokers where a data centre's clients find them. */
  private Path seenFrom(DataCenter dc) {
    var file = Path.of(deployment.source());
    var away =
        peersOf(dc).stream()
            .filter(peer -> !bootstrap(peer, dc).equals(peer.kafka().bootstrap()))
            .toList();
    if (away.isEmpty()) {
      return file;
    }
    try {
      var yaml = Files.readString(file);
      for (var peer : away) {
        var direct = quoted(peer.kafka().bootstrap());
        if (!yaml.contains(direct)) {
          throw new IllegalStateException("%s does not say %s".formatted(file, direct));
        }
        yaml = yaml.replace(direct, quoted(bootstrap(peer, dc)));
      }
      return Files.writeString(
          devStack.stateDir().resolve("cellmesh-seen-from-%s.yaml".formatted(dc.name())), yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String quoted(String bootstrap) {
    return '"' + bootstrap + '"';
  }

  /** Where a data centre's clients find another one's brokers. */
  private String bootstrap(DataCenter of, DataCenter client) {
    return devStack.broker(of.name()).bootstrapFor(client.name());
  }

  private List<DataCenter> peersOf(DataCenter dc) {
    return deployment.datacenters().stream().filter(peer -> !peer.equals(dc)).toList();
  }

  private static void await(Group group) throws InterruptedException {
    try (var admin = Consumers.admin(group.kafka)) {
      boolean stable =
          Waiting.within(START, POLL, () -> isStable(admin, group.prefix) || !group.app.isAlive());
      if (!group.app.isAlive()) {
        throw group.app.failure("ended");
      }
      if (!stable) {
        throw group.app.failure("has no stable group after %d s".formatted(START.toSeconds()));
      }
    }
  }

  private static void await(DataCenter dc, JavaApp worker) throws InterruptedException {
    boolean ready = Waiting.within(START, POLL, () -> isReady(dc) || !worker.isAlive());
    if (!worker.isAlive()) {
      throw worker.failure("ended");
    }
    if (!ready) {
      throw worker.failure("is not ready after %d s".formatted(START.toSeconds()));
    }
  }

  private static boolean isReady(DataCenter dc) throws InterruptedException {
    return WorkerStatus.of(dc).stream().allMatch(Part::up);
  }

  private static boolean isStable(Admin admin, String prefix) throws InterruptedException {
    try {
      for (GroupListing group : admin.listGroups().all().get()) {
        if (group.groupId().startsWith(prefix)
            && group.groupState().filter(GroupState.STABLE::equals).isPresent()) {
          return true;
        }
      }
      return false;
    } catch (ExecutionException e) {
      throw new KafkaException(e.getCause().getMessage(), e.getCause());
    }
  }
}
