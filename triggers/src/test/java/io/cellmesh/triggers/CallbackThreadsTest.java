package io.cellmesh.triggers;

import static io.cellmesh.triggers.OneProcess.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.topics.trigger.Order;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CallbackThreadsTest {
  @Test
  void the_end_is_waited_for_a_moment_however_many_threads_do_not_come_to_it() throws Exception {
    var dispatcher = new SharedDispatcher(new Dispatcher(settings(Order.ROW)), 1, Duration.ZERO);
    // Nobody has told them that it is over.
    var threads =
        new CallbackThreads(
            "billing", 10, dispatcher, null, batch -> {}, BatchSize.of(1), new TriggerFigures());
    threads.start();

    long begun = System.nanoTime();
    threads.end();

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
    dispatcher.close();
  }
}
