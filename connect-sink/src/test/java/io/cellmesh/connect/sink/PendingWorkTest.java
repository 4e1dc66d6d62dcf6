package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.base.DaemonThreads;
import io.cellmesh.storage.Nodes;
import io.cellmesh.storage.Pools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.errors.ConnectException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two primaries, of which the test decides when they are done. */
class PendingWorkTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Topology topology = TwoClusters.TOPOLOGY;
  private final StorageCluster c1 = topology.cluster("c1");
  private final StorageCluster c2 = topology.cluster("c2");
  private final Nodes nodes = new Nodes(new Pools(new Credentials("nobody", "")));
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final PrimaryPaces paces = new PrimaryPaces(topology, nodes, System::nanoTime);
  private final PendingWork work = new PendingWork(nodes, new DaemonThreads(threads), paces);
  private final List<String> heard = new ArrayList<>();
  private final CountDownLatch done = new CountDownLatch(1);

  @AfterEach
  void close() {
    threads.shutdownNow();
    nodes.close();
  }

  @Test
  void a_late_primary_is_waited_for_no_longer_and_heard_of_when_it_is_done() {
    long since = System.nanoTime();
    work.start(c1, asked(c1, () -> waited("one")), heard::add);
    work.start(c2, asked(c2, () -> "two"), heard::add);
    work.await(PATIENCE);
    // Long where a pause of this machine makes the other one slow as well: then none is late yet.
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since)).isBetween(100L, 25_000L);
    assertThat(heard).containsExactly("two");
    assertThat(work.busy(c1)).isTrue();
    assertThat(work.busy(c2)).isFalse();
    done.countDown();
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              work.hear();
              assertThat(heard).containsExactly("two", "one");
            });
    assertThat(work.busy(c1)).isFalse();
  }

  @Test
  void one_that_was_late_is_not_waited_for_until_it_is_fast_again() {
    work.start(c1, asked(c1, () -> waited("one")), heard::add);
    work.await(PATIENCE);
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> paces.owes(c1) > Duration.ofMillis(800).toNanos());
    done.countDown();
    Awaitility.await().atMost(PATIENCE).until(() -> !stillBusy());
    assertThat(work.held(c1)).isTrue();
    // A dozen, and as many more after a pause of this machine.
    for (int i = 0; i < 100 && work.held(c1); i++) {
      work.start(c1, asked(c1, () -> "again"), heard::add);
      Awaitility.await().atMost(PATIENCE).until(() -> !stillBusy());
    }
    assertThat(work.held(c1)).isFalse();
  }

  @Test
  void where_all_are_slow_none_is_late() throws Exception {
    var together = new CyclicBarrier(2);
    var both = new CountDownLatch(2);
    for (var cluster : List.of(c1, c2)) {
      var asked =
          asked(
              cluster,
              () -> {
                both.countDown();
                return waited(cluster.name());
              });
      work.start(
          cluster,
          () -> {
            together.await();
            return asked.call();
          },
          heard::add);
    }
    both.await();
    threads.submit(
        () -> {
          TimeUnit.MILLISECONDS.sleep(700);
          done.countDown();
          return null;
        });
    work.await(PATIENCE);
    assertThat(heard).containsExactlyInAnyOrder("c1", "c2");
  }

  @Test
  void what_a_primary_waits_for_itself_is_no_time_of_its_own() {
    work.start(c1, () -> waited("one"), heard::add);
    work.await(Duration.ofMillis(400));
    assertThat(work.busy(c1)).isTrue();
    assertThat(paces.late(c1)).isFalse();
  }

  @Test
  void what_one_ended_with_is_thrown_when_all_have_been_heard_of() {
    work.start(
        c1,
        asked(
            c1,
            () -> {
              throw new ConnectException("only a person can mend it");
            }),
        heard::add);
    work.start(c2, asked(c2, () -> "two"), heard::add);
    assertThatThrownBy(() -> work.await(PATIENCE)).hasMessage("only a person can mend it");
    assertThat(heard).containsExactly("two");
    assertThat(work.busy(c1)).isFalse();
  }

  private boolean stillBusy() {
    work.hear();
    return work.busy(c1);
  }

  private String waited(String name) throws InterruptedException {
    done.await();
    return name;
  }

  /** The primary is asked at once, and answers when the work is done. */
  private Callable<String> asked(StorageCluster primary, Callable<String> answer) {
    return () -> {
      long begin = paces.begin(primary);
      try {
        return answer.call();
      } finally {
        paces.ended(primary, begin, true);
      }
    };
  }
}
