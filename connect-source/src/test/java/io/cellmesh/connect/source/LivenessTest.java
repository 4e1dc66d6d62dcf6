package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LivenessTest {
  private final AtomicLong time = new AtomicLong();
  private final Liveness liveness = new Liveness(Duration.ofSeconds(30), time::get);

  @Test
  void silence_beyond_patience_is_a_loss() {
    time.set(Duration.ofSeconds(30).toNanos());
    assertThat(liveness.loss()).isEmpty();

    time.addAndGet(1);
    assertThat(liveness.loss()).hasValueSatisfying(loss -> assertThat(loss).contains("30 s"));
  }

  @Test
  void every_sign_of_life_starts_the_wait_again() {
    time.set(Duration.ofSeconds(29).toNanos());
    liveness.sign();
    time.set(Duration.ofSeconds(58).toNanos());

    assertThat(liveness.loss()).isEmpty();
  }

  @Test
  void a_connection_that_ended_is_a_loss_at_once() {
    var client = new ObservedClient();
    liveness.watch(client);
    liveness.watch(client);
    assertThat(liveness.loss()).isEmpty();

    client.listener.onDisconnect(client);

    assertThat(liveness.loss()).isPresent();
  }

  @Test
  void a_connection_that_had_ended_before_it_was_watched_is_a_loss_after_a_while() {
    liveness.watch(new ObservedClient());
    time.set(Duration.ofSeconds(6).toNanos());
    assertThat(liveness.loss()).isEmpty();

    time.addAndGet(1);
    assertThat(liveness.loss()).isPresent();
  }

  private static final class ObservedClient extends BinaryLogClient {
    private LifecycleListener listener;

    ObservedClient() {
      super("db.example", 3306, "reader", "");
    }

    @Override
    public void registerLifecycleListener(LifecycleListener listener) {
      assertThat(this.listener).as("registered once").isNull();
      this.listener = listener;
    }
  }
}
