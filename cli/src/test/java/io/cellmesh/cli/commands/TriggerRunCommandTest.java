package io.cellmesh.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cli.Captured;
import io.cellmesh.triggers.webhook.WebhookConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

class TriggerRunCommandTest {
  private static final String TOPOLOGY =
      """
      instance: trips
      shards: 64
      partitions: 16
      datacenter: dc1
      clusters:
        - {name: c1, shards: "0-63", epoch: 1, master: {url: "mysql://a:3306"}}
      """;
  private static final String DEPLOYMENT =
      """
      instance: trips
      datacenters:
        - {name: dc1, topology: topology.yaml, kafka: {bootstrap: "127.0.0.1:1"}}
      """;

  @TempDir private Path dir;

  @Test
  void options_say_what_settings_do() {
    assertThat(ofTrigger("--name", "billing", "--column", "a,b", "--column", "BASE"))
        .isEqualTo(Map.of("name", "billing", "columns", List.of("a,b", "BASE")));
    assertThat(ofTrigger("--order", "row", "--threads", "4", "--from", "now", "--what-is-left"))
        .isEqualTo(Map.of("order", "row", "threads", "4", "from", "now", "what.is.left", "true"));
    assertThat(ofTrigger("--topic-of-column", "--no-follow", "--attempts", "3"))
        .isEqualTo(Map.of("topic.of.column", "true", "follow", "false", "attempts", "3"));
    assertThat(ofTrigger("--age", "2h", "--back-off", "1s..1m", "--session", "20s"))
        .isEqualTo(Map.of("age", "2h", "back.off", "1s..1m", "session", "20s"));
    assertThat(ofTrigger()).isEmpty();
  }

  @Test
  void those_of_the_receiver_as_well_with_times_in_their_units() {
    assertThat(ofWebhook("--url", "https://h/x", "--timeout", "2s", "--connect-timeout", "300ms"))
        .isEqualTo(Map.of("url", "https://h/x", "timeout.ms", "2000", "connect.timeout.ms", "300"));
    assertThat(ofWebhook("--token-file", "t", "--content", "envelope", "--http-version", "2"))
        .isEqualTo(Map.of("token.file", "t", "content", "envelope", "http.version", "2"));
    assertThat(ofWebhook("--keystore", "k", "--keystore-password-file", "p"))
        .isEqualTo(Map.of("keystore", "k", "keystore.password.file", "p"));
  }

  /** Whoever sees the processes of a machine sees their command lines. */
  @Test
  void each_setting_has_an_option_but_for_passwords() {
    var options = new CommandLine(new TriggerRunCommand()).getCommandSpec().optionsMap();
    for (var definition : List.of(TriggerSettings.definition(), WebhookConfig.definition())) {
      for (var key : definition.configKeys().values()) {
        assertThat(options.containsKey(SettingOptions.name(key)))
            .as(key.name)
            .isEqualTo(key.type != Type.PASSWORD);
      }
    }
    assertThat(options).doesNotContainKeys("--keystore-password", "--truststore-password");
  }

  @Test
  void it_waits_for_a_kafka_that_does_not_answer_and_for_nothing_else() throws Exception {
    var failures =
        new ArrayDeque<RuntimeException>(
            List.of(
                new TimeoutException("Timeout expired while fetching topic metadata"),
                new KafkaException("no answer", new DisconnectException())));
    var started =
        TriggerRunCommand.patiently(
            Duration.ZERO,
            () -> {
              if (!failures.isEmpty()) {
                throw failures.remove();
              }
              return "started";
            });
    assertThat(started).isEqualTo("started");

    var refused = new TopicAuthorizationException("trips.log");
    assertThatThrownBy(
            () ->
                TriggerRunCommand.patiently(
                    Duration.ZERO,
                    () -> {
                      throw refused;
                    }))
        .isSameAs(refused);
  }

  @Test
  void what_has_to_be_said_is_asked_for() throws IOException {
    assertRefused(
        "name is missing: say --name, or name in the file of --config", "--url", "http://h/");
    assertRefused("url is missing: say --url, or url in the file of --config", "--name", "billing");
  }

  @Test
  void bad_input_ends_with_two_and_the_rule_that_it_breaks() throws IOException {
    assertRefused("--timeout = \"2\": must be a number with its unit", with("--timeout", "2"));
    assertRefused("session = 1ms: must be 1s to 30m", with("--session", "1ms"));
    assertRefused("url: must begin with http:// or https://", with("--url", "ftp://h/"));
    assertRefused("timeout.ms", with("--timeout", "30d"));
    assertRefused("header.ce-id", with("--header", "ce-id=1"));
    assertRefused("token.file", with("--token-file", "none"));
  }

  @Test
  void a_file_says_what_no_option_says() throws IOException {
    var file = dir.resolve("trigger.properties");
    Files.writeString(file, "name=billing\nurl=http://h/\nsession=1ms\nheader.X-A=${env:PATH}\n");

    assertRefused("session = 1ms", "--config", file.toString());
    assertRefused("session = 2ms", "--config", file.toString(), "--session", "2ms");
    Files.writeString(file, "name=billing\nurl=http://h/\nkeystores=x\n");
    assertRefused("keystores: no such setting", "--config", file.toString());
    Files.writeString(file, "name=billing\nurl=http://h/\nkeystore.password=${env:NO_SUCH_V}\n");
    assertRefused("${env:NO_SUCH_V} leads to nothing", "--config", file.toString());
  }

  private void assertRefused(String message, String... options) throws IOException {
    Files.writeString(dir.resolve("topology.yaml"), TOPOLOGY);
    var deployment = Files.writeString(dir.resolve("cellmesh.yaml"), DEPLOYMENT);
    var all = new ArrayList<>(List.of("trigger", "run", "--deployment", deployment.toString()));
    all.addAll(List.of(options));

    var run = Captured.run(all.toArray(String[]::new));

    assertThat(run.err()).contains(message);
    assertThat(run.exitCode()).isEqualTo(2);
  }

  /** What there has to be, and an option more. */
  private static String[] with(String option, String value) {
    return option.equals("--url")
        ? new String[] {"--name", "billing", option, value}
        : new String[] {"--name", "billing", "--url", "http://127.0.0.1/", option, value};
  }

  private static Map<String, Object> ofTrigger(String... options) {
    return SettingOptions.given(TriggerSettings.definition(), parsed(options));
  }

  private static Map<String, Object> ofWebhook(String... options) {
    return SettingOptions.given(WebhookConfig.definition(), parsed(options));
  }

  private static ParseResult parsed(String... options) {
    return new CommandLine(new TriggerRunCommand()).parseArgs(options);
  }
}
