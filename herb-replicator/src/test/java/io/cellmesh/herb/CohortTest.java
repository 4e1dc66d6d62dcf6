package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.herb.LinkFigures.Counts;
import io.cellmesh.herb.LinkHealth.State;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process does when the files of its cohort change, with links that only note it. */
class CohortTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path dir;

  private final List<NotedLink> links = new CopyOnWriteArrayList<>();
  private final Cohort cohort = new Cohort(this::made);
  private CohortWatch watch;

  /** An instance of which no links can be made. */
  private String refused = "";

  @AfterEach
  void end() {
    links.forEach(link -> link.lets.countDown());
    cohort.close();
  }

  @Test
  void instances_join_change_and_leave_while_the_others_run_on() throws IOException {
    write("trips", "riders");
    begin();
    awaitRunning("riders", "trips");
    var trips = link("trips");

    write("trips", "eats");
    settle();
    awaitRunning("eats", "trips");
    assertThat(links).hasSize(3);
    assertThat(link("riders").ended()).isTrue();

    new DeploymentFiles(dir).write("eats", 16, "here:1", "elsewhere:1");
    settle();
    await().atMost(PATIENCE).until(() -> links.size() == 4 && links.get(3).running());
    assertThat(links.get(3).ends.peers()).isEqualTo(peers("elsewhere:1"));
    assertThat(links.get(2).ended()).isTrue();
    assertThat(trips.running()).isTrue();
  }

  @Test
  void new_servers_in_a_shard_map_are_no_reason_to_begin_again() throws IOException {
    write("trips");
    begin();
    awaitRunning("trips");
    var map = dir.resolve("trips-dc1.yaml");
    Files.writeString(map, Files.readString(map).replace("epoch: 1", "epoch: 2"));
    settle();
    assertThat(links).hasSize(1);
    assertThat(link("trips").running()).isTrue();
  }

  @Test
  void a_list_that_can_not_be_used_is_told_and_what_runs_goes_on() throws IOException {
    write("trips");
    begin();
    awaitRunning("trips");

    Files.writeString(file(), "dc: dc1\ninstances:\n- {instance: trips, limits: {}}\n");
    settle();
    assertThat(cohort.health().fault()).isEqualTo(file() + ": line 3: deployment is missing");
    assertThat(cohort.health().isGood()).isFalse();
    assertThat(link("trips").running()).isTrue();

    Files.delete(file());
    settle();
    assertThat(cohort.health().fault()).isEqualTo(file() + ": there is no such file");
    assertThat(link("trips").running()).isTrue();

    write("trips");
    settle();
    assertThat(cohort.health().isGood()).isTrue();
    assertThat(links).hasSize(1);
  }

  @Test
  void files_of_one_instance_that_can_not_be_used_concern_no_other() throws IOException {
    write("trips", "riders");
    Files.delete(dir.resolve("riders-dc2.yaml"));
    begin();
    awaitRunning("trips");
    assertThat(cohort.health().ofInstance("riders").orElseThrow().toJson())
        .contains(
            "riders.yaml: line 4: topology: ",
            "can't be read: there is no such file\",\"links\":{}}");
    assertThat(cohort.health().ofInstance("trips").orElseThrow().isGood()).isTrue();

    write("trips", "riders", "eats");
    Files.writeString(dir.resolve("trips.yaml"), "instance: trips\n");
    settle();
    awaitRunning("eats", "riders", "trips");
    assertThat(cohort.health().instances().get("trips").fault())
        .isEqualTo(dir.resolve("trips.yaml") + ": line 1: datacenters is missing");
    assertThat(links).hasSize(3);
  }

  @Test
  void an_instance_whose_links_can_not_be_made_is_told_and_made_once_they_can() throws IOException {
    refused = "riders";
    write("eats", "riders", "trips");
    begin();
    awaitRunning("eats", "trips");
    settle();
    assertThat(cohort.health().instances().get("riders").toJson())
        .isEqualTo("{\"status\":\"not ok\",\"why\":\"mesh: dc1.p12 can't be read\",\"links\":{}}");
    assertThat(cohort.health().ofInstance("trips").orElseThrow().isGood()).isTrue();

    refused = "";
    settle();
    awaitRunning("eats", "riders", "trips");
    assertThat(cohort.health().isGood()).isTrue();
    assertThat(links).hasSize(3);
  }

  @Test
  void who_may_read_here_is_no_concern_of_the_links() throws IOException {
    write("trips");
    begin();
    awaitRunning("trips");
    int port = freePort();
    serve("trips", "{port: %d, allow: [dc2]}".formatted(port));
    settle();
    assertThat(ask(port, "trips", "dc7")).isEqualTo(403);
    assertThat(links).hasSize(1);

    write("riders");
    settle();
    // Nobody else is served there.
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> ask(port, "trips", "dc7"))
                    .isInstanceOf(ConnectException.class));
  }

  @Test
  void a_port_that_is_taken_is_told_and_stops_no_link() throws IOException {
    write("trips", "riders");
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      serve("trips", "{port: %d, allow: [dc2]}".formatted(taken.getLocalPort()));
      begin();
      awaitRunning("riders", "trips");
      assertThat(cohort.health().instances().get("trips").fault())
          .startsWith(
              "mesh.serve: 127.0.0.1:%d can't be listened on".formatted(taken.getLocalPort()));
      assertThat(cohort.health().ofInstance("riders").orElseThrow().isGood()).isTrue();
    }
    settle();
    assertThat(cohort.health().isGood()).isTrue();
    assertThat(links).hasSize(2);
  }

  @Test
  void a_file_counts_once_it_has_been_the_same_twice() throws IOException {
    write("trips");
    begin();
    write("trips", "riders");
    watch.look();
    assertThat(cohort.health().instances()).containsOnlyKeys("trips");
    write("trips", "eats");
    watch.look();
    assertThat(cohort.health().instances()).containsOnlyKeys("trips");
    watch.look();
    assertThat(cohort.health().instances()).containsOnlyKeys("eats", "trips");
  }

  @Test
  void links_that_are_replaced_have_ended_before_others_start_and_nobody_else_waits()
      throws IOException {
    write("trips", "riders");
    begin();
    awaitRunning("riders", "trips");
    var slow = link("trips");
    slow.lets = new CountDownLatch(1);

    new DeploymentFiles(dir).write("trips", 16, "here:1", "elsewhere:1");
    new DeploymentFiles(dir).write("riders", 16, "here:1", "elsewhere:1");
    settle();
    await().atMost(PATIENCE).until(() -> last("riders").running());
    assertThat(slow.told).isTrue();
    assertThat(last("trips")).isNotSameAs(slow);
    assertThat(last("trips").started).isFalse();

    slow.lets.countDown();
    await().atMost(PATIENCE).until(() -> last("trips").running());
  }

  @Test
  void all_are_told_to_end_before_any_is_waited_for() throws Exception {
    write("a", "b", "c");
    begin();
    awaitRunning("a", "b", "c");
    links.forEach(link -> link.lets = new CountDownLatch(1));
    var closing = new Thread(cohort::close);
    closing.start();
    await().atMost(PATIENCE).until(() -> links.stream().allMatch(link -> link.told));
    assertThat(cohort.health().instances()).hasSize(3);
    assertThat(cohort.awaitClose(Duration.ZERO)).isTrue();
    links.forEach(link -> link.lets.countDown());
    closing.join(PATIENCE.toMillis());
    assertThat(closing.isAlive()).isFalse();

    watch.look();
    cohort.become(new CohortFile(file()).read());
    assertThat(links).hasSize(3);
  }

  @Test
  void a_peer_that_the_deployment_has_not_and_another_instance_are_told() throws IOException {
    write("trips");
    var text = Files.readString(file());
    Files.writeString(file(), text.replace("}", ", peers: [dc2, dc7]}"));
    assertThat(new CohortFile(file()).read().faults())
        .containsEntry(
            "trips",
            "peers: \"dc7\" is no peer of dc1 in %s; there are [dc2]"
                .formatted(dir.resolve("trips.yaml")));
    Files.writeString(file(), text.replace("instance: trips", "instance: riders"));
    assertThat(new CohortFile(file()).read().faults())
        .containsEntry(
            "riders",
            "%s is the deployment of trips, not of riders".formatted(dir.resolve("trips.yaml")));
    Files.writeString(file(), text.replace("dc: dc1\n", ""));
    assertThat(new CohortFile(file()).read().faults().get("trips"))
        .startsWith("dc: which data centre of ");
  }

  private void write(String... instances) throws IOException {
    var list = new StringBuilder("dc: dc1\ninstances:\n");
    for (var instance : instances) {
      new DeploymentFiles(dir).write(instance, 16, "here:1", "there:1");
      list.append("- {instance: %1$s, deployment: %1$s.yaml}\n".formatted(instance));
    }
    Files.writeString(file(), list);
  }

  private void serve(String instance, String serve) throws IOException {
    var file = dir.resolve(instance + ".yaml");
    Files.writeString(
        file,
        Files.readString(file)
            .replace("{name: dc1,", "{name: dc1, mesh: {serve: %s},".formatted(serve)));
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Returns how a data centre is answered that wants to read the log of an instance. */
  private static int ask(int port, String instance, String caller) throws IOException {
    var at = URI.create("http://127.0.0.1:%d/v1/%s/mesh/log".formatted(port, instance)).toURL();
    var asked = (HttpURLConnection) at.openConnection();
    asked.setRequestProperty(Callers.HEADER, caller);
    return asked.getResponseCode();
  }

  private Path file() {
    return dir.resolve("cohorts.yaml");
  }

  private void begin() {
    watch = new CohortWatch(new CohortFile(file()), cohort);
    watch.begin();
  }

  private void settle() {
    watch.look();
    watch.look();
  }

  private void awaitRunning(String... instances) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(links.stream().filter(NotedLink::running).map(l -> l.ends.instance()))
                    .containsExactlyInAnyOrder(instances));
  }

  private NotedLink link(String instance) {
    return links.stream().filter(l -> l.ends.instance().equals(instance)).findFirst().orElseThrow();
  }

  private NotedLink last(String instance) {
    return links.stream()
        .filter(l -> l.ends.instance().equals(instance))
        .reduce((earlier, later) -> later)
        .orElseThrow();
  }

  private InstanceParts made(Ends ends) {
    if (ends.instance().equals(refused)) {
      throw new IllegalArgumentException("mesh: dc1.p12 can't be read");
    }
    assertThat(ends.here()).isEqualTo(KafkaAccess.plain("here:1"));
    var link = new NotedLink(ends);
    links.add(link);
    return new InstanceParts(List.of(link), Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static Map<String, Optional<KafkaAccess>> peers(String bootstrap) {
    return Map.of("dc2", Optional.of(KafkaAccess.plain(bootstrap)));
  }

  private static final class NotedLink implements Link {
    private final Ends ends;
    private volatile CountDownLatch lets = new CountDownLatch(0);
    private volatile boolean started;
    private volatile boolean told;

    private NotedLink(Ends ends) {
      this.ends = ends;
    }

    boolean running() {
      return started && !told;
    }

    boolean ended() {
      return told && lets.getCount() == 0;
    }

    @Override
    public String peer() {
      return "dc2";
    }

    @Override
    public void start() {
      started = true;
    }

    @Override
    public LinkHealth health() {
      return new LinkHealth(
          State.RUNNING,
          "",
          0,
          OptionalLong.empty(),
          MeshWindow.State.OPEN,
          OptionalDouble.empty(),
          new Counts(0, 0, 0, 0),
          Map.of());
    }

    @Override
    public void end() {
      told = true;
    }

    @Override
    public boolean awaitEnd(Duration atMost) throws InterruptedException {
      return lets.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }
  }
}
