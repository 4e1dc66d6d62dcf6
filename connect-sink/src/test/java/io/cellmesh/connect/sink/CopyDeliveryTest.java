package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.base.DaemonThreads;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
  void the_only_one_that_is_left_is_waited_for_however_late_it_is() {
    lateMillis = SOON_LATE_MILLIS;
    var took = deliver(3, name -> hangs(name, "c4"));
    await().atMost(Duration.ofSeconds(30)).until(() -> asked.contains("c4"));
    await()
        .during(Duration.ofMillis(4 * SOON_LATE_MILLIS))
        .atMost(Duration.ofSeconds(30))
        .until(() -> !took.isDone());
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

  @Test
  void what_comes_to_the_same_secondary_is_written_there_at_once() {
    var written = new ConcurrentLinkedQueue<String>();
    CopyDelivery.Attempt attempt =
        (secondary, copies) -> {
          written.add(names(copies.keySet()) + " to " + secondary.name());
          // So that the others are the last to go on.
          return !secondary.name().equals("c2");
        };
    var wanted = new LinkedHashMap<CopyDelivery, Integer>();
    wanted.put(delivery(attempt, "c1", "c2", "c3", "c4"), 1);
    wanted.put(delivery(attempt, "c2", "c3", "c4"), 1);
    wanted.put(delivery(attempt, "c3", "c2", "c4"), 1);
    wanted.put(delivery(attempt, "c4", "c2", "c3"), 2);
    var taken = CopyDelivery.together(wanted);
    assertThat(taken.values().stream().map(CompletableFuture::join))
        .containsExactly(Set.of("c3"), Set.of("c3"), Set.of("c4"), Set.of("c3"));
    assertThat(written)
        .containsExactlyInAnyOrder("c2 to c3", "c1 c3 c4 to c2", "c1 c4 to c3", "c3 to c4");
  }

  @Test
  void one_primary_of_several_goes_on_alone_when_more_are_wanted() {
    var written = new ConcurrentLinkedQueue<String>();
    CopyDelivery.Attempt attempt =
        (secondary, copies) -> written.add(names(copies.keySet()) + " to " + secondary.name());
    var first = delivery(attempt, "c1", "c3", "c4");
    var second = delivery(attempt, "c2", "c3", "c4");
    var wanted = new LinkedHashMap<CopyDelivery, Integer>();
    wanted.put(first, 1);
    wanted.put(second, 1);
    CopyDelivery.together(wanted).values().forEach(CompletableFuture::join);
    assertThat(second.to(2).join()).isEqualTo(Set.of("c3", "c4"));
    assertThat(written).containsExactly("c1 c2 to c3", "c2 to c4");
  }

  @Test
  void what_one_secondary_refuses_is_refused_of_all_that_came_with_it() {
    CopyDelivery.Attempt attempt =
        (secondary, copies) -> {
          throw new ConnectException("no right to write");
        };
    var wanted = new LinkedHashMap<CopyDelivery, Integer>();
    wanted.put(delivery(attempt, "c1", "c3"), 1);
    wanted.put(delivery(attempt, "c2", "c3"), 1);
    for (var taken : CopyDelivery.together(wanted).values()) {
      assertThatThrownBy(taken::join).hasCauseInstanceOf(ConnectException.class);
    }
  }

  @Test
  void who_waits_hears_of_it_where_there_is_no_thread_to_ask_in() {
    threads.shutdownNow();
    assertThatThrownBy(deliver(1, name -> {})::join)
        .hasCauseInstanceOf(RejectedExecutionException.class);
  }

  private static String names(Collection<StorageCluster> clusters) {
    return clusters.stream().map(StorageCluster::name).collect(Collectors.joining(" "));
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
        (secondary, copies) -> {
          asked.add(secondary.name());
          try {
            behaviour.of(secondary.name());
            return true;
          } catch (Gone e) {
            return false;
          }
        };
    return delivery(attempt, "c1", "c2", "c3", "c4");
  }

  private CopyDelivery delivery(CopyDelivery.Attempt attempt, String primary, String... drawn) {
    return new CopyDelivery(
        attempt,
        c(primary),
        List.of(),
        Stream.of(drawn).map(CopyDeliveryTest::c).toList(),
        lateMillis,
        new DaemonThreads(threads));
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
