package io.cellmesh.cli.commands;

import io.cellmesh.cli.outcome.ExitCodes;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.SettingsFile;
import io.cellmesh.health.AppLog;
import io.cellmesh.health.HealthOptions;
import io.cellmesh.health.HealthServer;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.trigger.TriggerSite;
import io.cellmesh.topics.trigger.TriggerRefusedException;
import io.cellmesh.triggers.RunningTrigger;
import io.cellmesh.triggers.Trigger;
import io.cellmesh.triggers.TriggerHealth;
import io.cellmesh.triggers.webhook.WebhookCallback;
import io.cellmesh.triggers.webhook.WebhookConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code trigger run}: a trigger whose callback is a receiver of HTTP. */
@Command(
    name = "run",
    header = "Run a trigger that posts each cell to a URL, until it is told to end.",
    description = {
      "Creates the trigger if it is not there yet, takes its share of the partitions, and posts cell "
          + "after cell as a CloudEvent (docs/webhook.md). SIGTERM and Ctrl-C let requests that are under way "
          + "end, commit what is done, and end with 0. Start it several times to share the work.",
      "",
      AppLog.HELP
    },
    modelTransformer = TriggerRunCommand.Settings.class)
final class TriggerRunCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(TriggerRunCommand.class);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  @Spec private CommandSpec spec;

  @Mixin private DataCenterTarget target;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A file with settings, name=value: those of docs/triggers.md and docs/webhook.md, with secrets by "
              + "reference. What an option says as well, the option decides.")
  private Optional<Path> config = Optional.empty();

  @Option(
      names = "--header",
      paramLabel = "NAME=VALUE",
      description =
          "A header of each request; may be given several times. Secrets go into --config.")
  private Map<String, String> headers = Map.of();

  @Mixin private HealthOptions health;

  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile RunningTrigger running;
  private volatile boolean stopping;

  /** Gives the command an option for each setting. */
  static final class Settings implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec command) {
      definitions().forEach(definition -> SettingOptions.add(definition, command));
      return command;
    }
  }

  private static List<ConfigDef> definitions() {
    return List.of(TriggerSettings.definition(), WebhookConfig.definition());
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    var all = settings();
    checkRequired(all);
    var ofTrigger = new LinkedHashMap<>(all);
    ofTrigger.keySet().retainAll(TriggerSettings.definition().names());
    all.keySet().removeAll(ofTrigger.keySet());
    var settings = TriggerSettings.parse(ofTrigger);
    var setup = settings.setup();
    var trigger = settings.trigger();
    var dc = target.datacenter();
    trigger.of(dc).call(valid(() -> webhook(all, dc)));
    valid(
        () -> {
          AppLog.begin("trigger", dc.topology().instance(), dc.name());
          return true;
        });
    var name = setup.name().text();
    var server = health.answer(() -> health(name));
    try {
      running =
          patiently(
              PAUSE,
              () -> {
                setup.prepare(new TriggerSite(dc));
                return start(trigger);
              });
      return run();
    } finally {
      server.ifPresent(HealthServer::close);
      ended.countDown();
    }
  }

  /** Those of the file, and over them those of the command line. */
  private Map<String, Object> settings() {
    var settings = new LinkedHashMap<String, Object>();
    config.ifPresent(file -> settings.putAll(SettingsFile.read(file)));
    var parsed = spec.commandLine().getParseResult();
    definitions().forEach(d -> settings.putAll(SettingOptions.given(d, parsed)));
    headers.forEach((name, value) -> settings.put(WebhookConfig.HEADER + name, value));
    return settings;
  }

  private static void checkRequired(Map<String, Object> settings) {
    for (var definition : definitions()) {
      for (var key : definition.configKeys().values()) {
        if (!key.hasDefault() && !settings.containsKey(key.name)) {
          throw OperationException.invalid(
              "%s is missing: say %s, or %s in the file of --config"
                  .formatted(key.name, SettingOptions.name(key), key.name));
        }
      }
    }
  }

  private static WebhookCallback webhook(Map<String, Object> settings, DataCenter dc) {
    var texts = new LinkedHashMap<String, String>();
    settings.forEach((name, value) -> texts.put(name, (String) value));
    return new WebhookCallback(WebhookConfig.parse(texts), dc.topology().instance(), dc.name());
  }

  private static <T> T valid(Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw OperationException.invalid(e.getMessage());
    }
  }

  private TriggerHealth health(String name) {
    var now = running;
    return now == null ? TriggerHealth.starting(name) : new TriggerHealth(name, now.state());
  }

  /**
   * Tries until Kafka answers, as it does once the trigger runs: who is started with the machine
   * may be there before Kafka, and nobody should have to start it again.
   */
  static <T> T patiently(Duration pause, Attempt<T> attempt) throws InterruptedException {
    while (true) {
      try {
        return attempt.call();
      } catch (RuntimeException e) {
        if (!isOutage(e)) {
          throw e;
        }
        LOG.warn("Kafka does not answer, so the trigger waits for it: {}", e.getMessage());
        TimeUnit.NANOSECONDS.sleep(pause.toNanos());
      }
    }
  }

  private static boolean isOutage(Throwable failure) {
    return failure != null
        && (failure instanceof TimeoutException
            || failure instanceof DisconnectException
            || isOutage(failure.getCause()));
  }

  /** What asks Kafka. */
  @FunctionalInterface
  interface Attempt<T> {
    T call() throws InterruptedException;
  }

  private static RunningTrigger start(Trigger trigger) throws InterruptedException {
    try {
      return trigger.start();
    } catch (TriggerRefusedException e) {
      throw OperationException.refused(e.getMessage());
    }
  }

  /** Until it is told to end. */
  private int run() throws InterruptedException {
    Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop"));
    running.awaitEnd();
    if (!stopping) {
      throw OperationException.failed("the trigger ended by itself; its log says why");
    }
    return ExitCodes.OK;
  }

  /**
   * Waits until everything is closed. The JVM would end with 143 after its hooks; an end that was
   * asked for is a success.
   */
  private void stop() {
    if (ended.getCount() == 0) {
      return;
    }
    stopping = true;
    running.close();
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(ExitCodes.OK);
  }
}
