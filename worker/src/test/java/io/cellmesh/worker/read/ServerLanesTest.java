package io.cellmesh.worker.read;

import static io.cellmesh.worker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.storage.CellLookup.Answer;
import io.cellmesh.storage.CellLookup.Ask;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import io.cellmesh.worker.load.Deadline;
import io.cellmesh.worker.load.Priority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Servers that take connections and say nothing. */
class ServerLanesTest {
  private static final int OF_CALLERS = 64;

  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final ServerLanes lanes =
      new ServerLanes(new Nodes(new Pools(new Credentials("nobody", ""), ServerLanes.OPTIONS)));
  private ServerSocket silent;

  @BeforeEach
  void listen() throws IOException {
    silent = new ServerSocket(0, 1_000, InetAddress.getByName("0.0.0.0"));
  }

  @AfterEach
  void stop() throws IOException {
    callers.shutdownNow();
    lanes.close();
    silent.close();
  }

  @Test
  void who_has_time_is_kept_by_a_server_that_hangs_and_not_for_longer_than_he_has() {
    var server = new AtomicInteger();
    await()
        .untilAsserted(
            () -> {
              long begun = System.nanoTime();
              assertThat(look(server.incrementAndGet(), 5_000)).isCompletedExceptionally();
              assertThat(Duration.ofNanos(System.nanoTime() - begun))
                  .isBetween(Duration.ofMillis(500), Duration.ofMillis(2_500));
            });
  }

  @Test
  void who_is_in_a_hurry_is_not_kept() {
    var server = new AtomicInteger();
    await()
        .untilAsserted(
            () -> {
              long begun = System.nanoTime();
              assertThat(look(server.incrementAndGet(), 2_000)).isNotDone();
              assertThat(Duration.ofNanos(System.nanoTime() - begun))
                  .isLessThan(Duration.ofMillis(500));
            });
  }

  @Test
  void however_many_servers_hang_they_keep_no_more_callers_than_others_can_spare() {
    var server = new AtomicInteger();
    await()
        .untilAsserted(
            () -> {
              var kept = new AtomicInteger();
              for (int i = 0; i < OF_CALLERS + 16; i++) {
                int number = i % 8 == 0 ? server.incrementAndGet() : server.get();
                callers.execute(
                    () -> {
                      kept.incrementAndGet();
                      look(number, 60_000);
                      kept.decrementAndGet();
                    });
              }
              Thread.sleep(300);
              int after = kept.get();
              await().until(() -> kept.get() == 0);
              assertThat(after).isEqualTo(OF_CALLERS);
            });
  }

  /** Asks a server, each under an address of its own. */
  private CompletableFuture<Answer> look(int number, long deadlineMillis) {
    var topology = topology(number);
    return lanes.lookHere(
        server(topology),
        topology,
        Set.of(),
        List.of(new Ask.Row(new UUID(0, 1))),
        Priority.NORMAL,
        Deadline.in(Duration.ofMillis(deadlineMillis), System::nanoTime));
  }

  private Topology topology(int number) {
    return TopologyYaml.parse(
        """
        instance: trips
        shards: 1
        partitions: 1
        datacenter: dc1
        clusters:
          - name: c1
            shards: "0"
            epoch: 1
            master: {url: "mysql://127.0.0.%d:%d", domain: a}
        """
            .formatted(number, silent.getLocalPort()));
  }

  private static Server server(Topology topology) {
    return topology.clusters().get(0).master();
  }
}
