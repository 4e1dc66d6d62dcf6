package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PulseTest {
  private final AtomicLong time = new AtomicLong();
  private final Pulse pulse = new Pulse(Duration.ofSeconds(30), time::get);

  @Test
  void silence_beyond_patience_is_a_loss() {
    time.set(Duration.ofSeconds(30).toNanos());
    assertThat(pulse.loss()).isEmpty();

    time.addAndGet(1);
    assertThat(pulse.loss()).hasValueSatisfying(loss -> assertThat(loss).contains("30 s"));
  }

  @Test
  void every_sign_of_life_starts_the_wait_again() {
    time.set(Duration.ofSeconds(29).toNanos());
    pulse.sign();
    time.set(Duration.ofSeconds(58).toNanos());

    assertThat(pulse.loss()).isEmpty();
  }

  @Test
  void a_connection_that_ended_is_a_loss_at_once() {
    var client = new ObservedClient();
    pulse.watch(client);
    pulse.watch(client);
    assertThat(pulse.loss()).isEmpty();

    client.listener.onDisconnect(client);

    assertThat(pulse.loss()).isPresent();
  }

  @Test
  void a_connection_that_had_ended_before_it_was_watched_is_a_loss_after_a_while() {
    pulse.watch(new ObservedClient());
    time.set(Duration.ofSeconds(6).toNanos());
    assertThat(pulse.loss()).isEmpty();

    time.addAndGet(1);
    assertThat(pulse.loss()).isPresent();
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
