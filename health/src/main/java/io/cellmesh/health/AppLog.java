package io.cellmesh.health;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import java.util.Map;
import org.slf4j.LoggerFactory;

/** The log of an application; {@code log.xml} beside this class says how it looks. */
public final class AppLog {
  /** A line for {@code --help}. */
  public static final String HELP =
      "With CELLMESH_LOG_FORMAT=json in the environment each line of the log is a JSON object.";

  private static final String FORMAT = "CELLMESH_LOG_FORMAT";

  private AppLog() {}

  /**
   * Says in each line of JSON whose it is.
   *
   * @throws IllegalArgumentException if the format that the environment asks for is none
   */
  public static void of(String application, String instance, String datacenter) {
    checkFormat(System.getenv());
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      name(context, application, instance, datacenter);
    }
  }

  /**
   * Says in each line of JSON which application it is, of a process that has several instances.
   *
   * @throws IllegalArgumentException if the format that the environment asks for is none
   */
  public static void of(String application) {
    checkFormat(System.getenv());
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.putProperty("application", application);
    }
  }

  /**
   * Does the same as {@link #of(String, String, String)} in a process that logged in another way
   * until now, and does so from here on as {@code log.xml} says.
   *
   * @throws IllegalArgumentException if the format that the environment asks for is none
   */
  public static void begin(String application, String instance, String datacenter) {
    checkFormat(System.getenv());
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      configure(context);
      name(context, application, instance, datacenter);
    }
  }

  static void configure(LoggerContext context) {
    context.reset();
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    try {
      configurator.doConfigure(AppLog.class.getResource("application.xml"));
    } catch (JoranException e) {
      throw new IllegalStateException(e);
    }
  }

  static void name(LoggerContext context, String application, String instance, String datacenter) {
    context.putProperty("application", application);
    context.putProperty("instance", instance);
    context.putProperty("dc", datacenter);
  }

  static void checkFormat(Map<String, String> environment) {
    var format = environment.getOrDefault(FORMAT, "text");
    if (!format.equals("text") && !format.equals("json")) {
      throw new IllegalArgumentException(
          "%s: \"%s\" is neither text nor json".formatted(FORMAT, format));
    }
  }
}
