package io.cellmesh.worker.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.storage.CellLookup.Answer;
import io.cellmesh.worker.load.OverloadedException;
import io.cellmesh.worker.load.UnavailableException;
import io.cellmesh.worker.status.ServerPulse.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PulseTest {
  private static final Topology TOPOLOGY =
      TopologyYaml.parse(
          """
          instance: trips
          shards: 4
          partitions: 2
          datacenter: dc1
          clusters:
            - name: c1
              shards: 0-1
              epoch: 1
              master: {url: "mysql://a:1", domain: r1}
              minions: [{url: "mysql://b:1", domain: r2}]
            - {name: c2, shards: 2-3, epoch: 1, master: {url: "mysql://c:1", domain: r3}}
          """);

  private final MutableClock clock = new MutableClock();
  private final Map<String, List<CompletableFuture<Answer>>> asked = new HashMap<>();
  private final Pulse pulse = new Pulse(() -> TOPOLOGY, this::ask, clock);

  private CompletableFuture<Answer> ask(Server server, Topology map, List<Integer> partitions) {
    assertThat(partitions).containsExactly(0, 1);
    var answer = new CompletableFuture<Answer>();
    asked.computeIfAbsent(server.address(), address -> new ArrayList<>()).add(answer);
    return answer;
  }

  @Test
  void a_server_that_keeps_one_waiting_is_silent_soon_and_is_not_asked_again_meanwhile() {
    pulse.beat();
    answer("b:1", true);
    answer("c:1", false);
    for (int second = 0; second < 30; second++) {
      clock.pass(Duration.ofSeconds(1));
      pulse.beat();
      answer("b:1", true);
      answer("c:1", false);
    }
    assertThat(asked.get("a:1")).hasSize(1);
    assertThat(asked.get("c:1")).hasSize(31);
    assertThat(state("a:1")).isEqualTo(State.SILENT);
    assertThat(state("b:1")).isEqualTo(State.WELL);
    assertThat(state("c:1")).isEqualTo(State.WELL);
  }

  @Test
  void servers_that_could_not_be_asked_for_lack_of_memory_are_asked_again() {
    var questions = new AtomicInteger();
    var poor =
        new Pulse(
            () -> TOPOLOGY,
            (server, map, partitions) -> {
              questions.incrementAndGet();
              throw new OutOfMemoryError("of a test");
            },
            clock);
    poor.beat();
    poor.beat();
    assertThat(questions).hasValue(6);
    assertThat(poor.servers()).extracting(ServerPulse::state).containsOnly(State.SILENT);
  }

  @Test
  void silence_is_told_between_two_beats_as_soon_as_patience_is_over() {
    beat("a:1", false);
    pulse.beat();
    clock.pass(Pulse.PATIENCE);
    assertThat(state("a:1")).isEqualTo(State.WELL);
    clock.pass(Duration.ofMillis(1));
    var silent = server("a:1");
    assertThat(silent.state()).isEqualTo(State.SILENT);
    assertThat(silent.since()).isEqualTo(clock.instant());
    assertThat(silent.atLeast()).isFalse();
    assertThat(silent.why()).isEqualTo("no answer within 1000 ms");
  }

  @Test
  void since_when_is_told_and_whether_it_may_be_for_longer() {
    beat("a:1", false);
    assertThat(server("a:1").atLeast()).isTrue();
    clock.pass(Duration.ofSeconds(5));
    beatFailing("a:1", new UnavailableException("gone"));
    var since = clock.instant();
    clock.pass(Duration.ofSeconds(5));
    beatFailing("a:1", new UnavailableException("still gone"));
    var silent = server("a:1");
    assertThat(silent.since()).isEqualTo(since);
    assertThat(silent.atLeast()).isFalse();
    assertThat(silent.why()).isEqualTo("still gone");
    clock.pass(Duration.ofSeconds(5));
    beat("a:1", false);
    assertThat(server("a:1").state()).isEqualTo(State.WELL);
    assertThat(server("a:1").since()).isEqualTo(clock.instant());
  }

  @Test
  void a_master_that_takes_no_writes_is_not_well_and_a_minion_that_takes_none_is() {
    pulse.beat();
    answer("a:1", true);
    answer("b:1", true);
    assertThat(state("a:1")).isEqualTo(State.READ_ONLY);
    assertThat(state("b:1")).isEqualTo(State.WELL);
    assertThat(state("c:1")).isEqualTo(State.UNKNOWN);
  }

  @Test
  void a_queue_that_is_full_harms_nobody() {
    var full =
        new Pulse(
            () -> TOPOLOGY,
            (server, map, partitions) -> {
              throw new OverloadedException(server.address());
            },
            clock);
    full.beat();
    full.beat();
    assertThat(full.servers()).extracting(ServerPulse::state).containsOnly(State.SILENT);
  }

  private void beat(String address, boolean readOnly) {
    pulse.beat();
    answer(address, readOnly);
  }

  private void beatFailing(String address, RuntimeException e) {
    pulse.beat();
    newest(address).completeExceptionally(e);
  }

  private void answer(String address, boolean readOnly) {
    newest(address).complete(new Answer(Map.of(), readOnly, Map.of(), List.of()));
  }

  private CompletableFuture<Answer> newest(String address) {
    var all = asked.get(address);
    return all.get(all.size() - 1);
  }

  private State state(String address) {
    return server(address).state();
  }

  private ServerPulse server(String address) {
    return pulse.servers().stream()
        .filter(server -> server.address().equals(address))
        .findFirst()
        .orElseThrow();
  }
}
