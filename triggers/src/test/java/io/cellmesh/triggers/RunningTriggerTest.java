package io.cellmesh.triggers;

import static io.cellmesh.triggers.OneProcess.replays;
import static io.cellmesh.triggers.OneProcess.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cellmesh.deployment.KafkaAccess;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.triggers.TriggerState.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigData;
import org.apache.kafka.common.config.provider.ConfigProvider;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A trigger some of whose clients of Kafka can't be made. */
class RunningTriggerTest {
  /** How many clients were to be made, and what is thrown for one by its number; null for none. */
  private static final AtomicInteger MADE = new AtomicInteger();

  private static volatile IntFunction<Throwable> failure;

  /** How many are open. */
  private static final AtomicInteger OPEN = new AtomicInteger();

  private final TriggerOptions options = options();
  private final SharedDispatcher dispatcher =
      new SharedDispatcher(new Dispatcher(settings(Order.ROW)), 1, Duration.ZERO);

  private final TriggerFigures figures = new TriggerFigures();
  private CallbackThreads callbacks;
  private final Replays replays =
      replays(
          options,
          dispatcher,
          figures,
          () -> {
            throw new KafkaException("no test has a replay read");
          });

  @BeforeEach
  void begin() {
    MADE.set(0);
    OPEN.set(0);
  }

  @Test
  void what_the_machine_has_no_room_for_is_tried_again_and_closes_no_trigger() {
    failure = client -> new OutOfMemoryError("unable to create native thread");
    try (var trigger = trigger(KafkaAccess.plain("127.0.0.1:1")).start()) {
      await().atMost(Duration.ofSeconds(30)).until(() -> MADE.get() == 2);
      await().atMost(Duration.ofSeconds(30)).until(() -> trigger.state().phase() == Phase.WAITING);
      assertThat(trigger.state().why()).contains("unable to create native thread");
    }
  }

  @Test
  void what_fails_without_a_message_is_told_by_its_class() {
    failure = client -> new IllegalStateException();
    try (var trigger = trigger(KafkaAccess.plain("127.0.0.1:1")).start()) {
      await().atMost(Duration.ofSeconds(30)).until(() -> trigger.state().phase() == Phase.WAITING);
      assertThat(new TriggerHealth("billing", trigger.state()).toJson())
          .contains("\"why\":\"java.lang.IllegalStateException\"");
    }
  }

  @Test
  void a_trigger_whose_threads_can_not_be_started_leaves_nothing_open() {
    failure = client -> null;
    var trigger = trigger(options.kafka());
    assertThat(OPEN).as("its notebook's client").hasValue(1);
    // A thread can't be started twice, nor where the machine has no room for it.
    callbacks.start();

    assertThatThrownBy(trigger::start).isInstanceOf(IllegalThreadStateException.class);

    assertThat(OPEN).hasValue(0);
    assertThat(trigger.state().phase()).isEqualTo(Phase.CLOSED);
  }

  @Test
  void a_client_that_can_not_be_made_leaves_no_other_open() {
    for (int last = 1; last <= 3; last++) {
      int failing = last;
      failure = client -> client == failing ? new KafkaException("no such thing") : null;
      MADE.set(0);

      assertThatThrownBy(this::loop).hasMessageContaining("no such thing");
      assertThat(MADE).hasValue(failing);
      assertThat(OPEN).as("clients before the one that failed, %d", failing).hasValue(0);
    }
  }

  /**
   * @param notes where its notebook is
   */
  private RunningTrigger trigger(KafkaAccess notes) {
    var notebook = new Notebook(notes, options.name(), options.topics().triggerState());
    var members = new Members(options, new Halting(5, Order.ROW, 64), notebook);
    callbacks =
        new CallbackThreads(
            "billing", 1, dispatcher, notebook, batch -> {}, BatchSize.of(1), figures);
    return new RunningTrigger(options, dispatcher, notebook, members, callbacks, replays, figures);
  }

  private void loop() {
    var notebook =
        new Notebook(
            KafkaAccess.plain("127.0.0.1:1"), options.name(), options.topics().triggerState());
    try {
      var members = new Members(options, new Halting(5, Order.ROW, 64), notebook);
      new TriggerLoop(options, dispatcher, notebook, replays, members, figures).close();
    } finally {
      notebook.close();
    }
  }

  private static TriggerOptions options() {
    var usual = OptionsForTests.of(Order.ROW);
    var kafka =
        new KafkaAccess(
            "127.0.0.1:1",
            Map.of(
                "config.providers", "counting",
                "config.providers.counting.class", Counting.class.getName(),
                "metric.reporters", Watching.class.getName()));
    return new TriggerOptions(
        usual.name(),
        usual.topics(),
        usual.shards(),
        kafka,
        usual.definition(),
        usual.threads(),
        usual.haltRows(),
        usual.window(),
        usual.commitInterval(),
        usual.session(),
        usual.handOver(),
        usual.batchWindow());
  }

  /** Of what Kafka's clients load by name, the first. */
  public static final class Counting implements ConfigProvider {
    @Override
    public void configure(Map<String, ?> settings) {
      var thrown = failure.apply(MADE.incrementAndGet());
      if (thrown instanceof Error error) {
        throw error;
      }
      if (thrown instanceof RuntimeException exception) {
        throw exception;
      }
    }

    @Override
    public ConfigData get(String path) {
      return new ConfigData(Map.of());
    }

    @Override
    public ConfigData get(String path, Set<String> keys) {
      return new ConfigData(Map.of());
    }

    @Override
    public void close() {}
  }

  /** Each client has one, and closes it when it is closed. */
  public static final class Watching implements MetricsReporter {
    @Override
    public void configure(Map<String, ?> settings) {}

    @Override
    public void init(List<KafkaMetric> metrics) {
      OPEN.incrementAndGet();
    }

    @Override
    public void metricChange(KafkaMetric metric) {}

    @Override
    public void metricRemoval(KafkaMetric metric) {}

    @Override
    public void close() {
      OPEN.decrementAndGet();
    }
  }
}
