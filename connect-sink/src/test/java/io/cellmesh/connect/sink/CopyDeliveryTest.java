package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.base.DaemonThreads;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CopyDeliveryTest {
  private static final long SOON_LATE_MILLIS = 50;
  private static final long NEVER_LATE_MILLIS = 60_000;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
  private final CountDownLatch hang = new CountDownLatch(1);
  private long lateMillis = NEVER_LATE_MILLIS;

  @AfterEach
  void stop() {
    hang.countDown();
    threads.shutdownNow();
  }

  @Test
  void no_more_secondaries_are_asked_than_are_wanted() {
    assertThat(deliver(1, name -> {}).join()).isEqualTo(Set.of("c2"));
    assertThat(asked).containsExactly("c2");
    assertThat(deliver(2, name -> {}).join()).isEqualTo(Set.of("c2", "c3"));
  }

  @Test
  void a_secondary_that_is_late_delays_nobody() {
    lateMillis = SOON_LATE_MILLIS;
    // Again if a pause of this machine has made the second one late as well.
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              var took = deliver(1, name -> hangs(name, "c2"));
              assertThat(took.join()).isEqualTo(Set.of("c3"));
              assertThat(asked).containsExactly("c2", "c3");
            });
  }

  @Test
  void several_that_are_late_are_passed_one_after_another() {
    lateMillis = SOON_LATE_MILLIS;
    var took =
        deliver(
            1,
            name -> {
              hangs(name, "c2");
              hangs(name, "c3");
            });
    assertThat(took.join()).isEqualTo(Set.of("c4"));
  }

  @Test
  void the_only_one_that_is_left_is_waited_for_however_late_it_is() throws Exception {
    lateMillis = SOON_LATE_MILLIS;
    var took = deliver(3, name -> hangs(name, "c4"));
    TimeUnit.MILLISECONDS.sleep(4 * SOON_LATE_MILLIS);
    assertThat(took).isNotDone();
    hang.countDown();
    assertThat(took.join()).isEqualTo(Set.of("c2", "c3", "c4"));
  }

  @Test
  void one_that_is_gone_is_followed_by_the_next_and_fewer_than_wanted_are_enough() {
    assertThat(deliver(2, name -> gone(name, "c2", "c4")).join()).isEqualTo(Set.of("c3"));
  }

  @Test
  void if_none_is_there_all_comes_again() {
    assertThatThrownBy(deliver(1, name -> gone(name, "c2", "c3", "c4"))::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(RetriableException.class);
  }

  @Test
  void more_can_be_wanted_later_and_none_is_asked_twice() {
    var delivery = delivery(name -> {});
    assertThat(delivery.to(1).join()).isEqualTo(Set.of("c2"));
    assertThat(delivery.to(2).join()).isEqualTo(Set.of("c2", "c3"));
    assertThat(asked).containsExactly("c2", "c3");
  }

  @Test
  void if_no_more_can_be_reached_those_that_have_it_are_enough() {
    var delivery = delivery(name -> gone(name, "c3", "c4"));
    assertThat(delivery.to(1).join()).isEqualTo(Set.of("c2"));
    assertThat(delivery.to(2).join()).isEqualTo(Set.of("c2"));
  }

  @Test
  void one_that_was_late_counts_when_more_are_wanted() {
    lateMillis = SOON_LATE_MILLIS;
    var delivery = delivery(name -> hangs(name, "c2"));
    assertThat(delivery.to(1).join()).isNotEmpty().isSubsetOf("c3", "c4");
    var both = delivery.to(2);
    hang.countDown();
    assertThat(both.join()).hasSizeGreaterThanOrEqualTo(2);
    // Which of two threads is the first to say so is the machine's affair.
    assertThat(asked).contains("c2", "c3").doesNotHaveDuplicates();
  }

  @Test
  void what_only_a_person_can_mend_ends_it() {
    var refused =
        deliver(
            1,
            name -> {
              throw new ConnectException("no right to write");
            });
    assertThatThrownBy(refused::join).hasCauseInstanceOf(ConnectException.class);
    assertThat(asked).containsExactly("c2");
  }

  private interface Behaviour {
    void of(String secondary) throws Gone;
  }

  private static final class Gone extends Exception {
    private static final long serialVersionUID = 1;
  }

  private CompletableFuture<Set<String>> deliver(int wanted, Behaviour behaviour) {
    return delivery(behaviour).to(wanted);
  }

  private CopyDelivery delivery(Behaviour behaviour) {
    asked.clear();
    CopyDelivery.Attempt attempt =
        secondary -> {
          asked.add(secondary.name());
          try {
            behaviour.of(secondary.name());
            return true;
          } catch (Gone e) {
            return false;
          }
        };
    return new CopyDelivery(
        attempt, "c1", List.of(c("c2"), c("c3"), c("c4")), lateMillis, new DaemonThreads(threads));
  }

  private void hangs(String name, String which) {
    if (name.equals(which)) {
      try {
        hang.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void gone(String name, String... which) throws Gone {
    if (List.of(which).contains(name)) {
      throw new Gone();
    }
  }

  private static StorageCluster c(String name) {
    return new StorageCluster(
        name, ShardSet.parse("0"), 1, new Server(name, 3306, name), List.of());
  }
}
