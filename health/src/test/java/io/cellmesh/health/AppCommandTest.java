package io.cellmesh.health;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class AppCommandTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(Application.class);
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

  @BeforeEach
  void listen() {
    logged.start();
    logger.addAppender(logged);
    logger.setAdditive(false);
    logger.setLevel(Level.INFO);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(logged);
  }

  @Test
  void an_application_ends_with_its_own_word() {
    assertThat(AppCommand.run(new Application(null), "--threads", "7")).isEqualTo(7);
    assertThat(logged.list).isEmpty();
  }

  @Test
  void what_a_person_gave_wrong_ends_with_two() {
    assertThat(AppCommand.run(new Application(null), "--none")).isEqualTo(2);
    assertThat(run(new IllegalArgumentException("--dc: there is no dc9"))).isEqualTo(2);
    assertThat(run(new IOException("map.yaml"))).isEqualTo(2);
  }

  @Test
  void another_failure_ends_with_one() {
    assertThat(run(new IllegalStateException("the state is damaged"))).isEqualTo(1);
  }

  @Test
  void the_log_says_why_in_the_name_of_the_application() {
    run(new IllegalStateException("the state is damaged"));
    run(new IOException("map.yaml"));
    assertThat(logged.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly("the state is damaged", "java.io.IOException: map.yaml");
  }

  @Test
  void what_stands_in_a_cause_alone_is_said_as_well() {
    var cause = new IllegalStateException("/etc/cellmesh/ca.p12: no such file");
    run(new IllegalStateException("Failed to create a client", new RuntimeException(cause)));
    run(new IllegalStateException("not created: " + cause.getMessage(), cause));
    run(new NullPointerException());
    assertThat(logged.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "Failed to create a client: /etc/cellmesh/ca.p12: no such file",
            "not created: /etc/cellmesh/ca.p12: no such file",
            "java.lang.NullPointerException");
  }

  private static int run(Exception failure) {
    return AppCommand.run(new Application(failure));
  }

  @Command(name = "application")
  private static final class Application implements Callable<Integer> {
    private final Exception failure;

    @Option(names = "--threads")
    private int threads;

    Application(Exception failure) {
      this.failure = failure;
    }

    @Override
    public Integer call() throws Exception {
      if (failure != null) {
        throw failure;
      }
      return threads;
    }
  }
}
