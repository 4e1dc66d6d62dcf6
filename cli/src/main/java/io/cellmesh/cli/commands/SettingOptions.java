package io.cellmesh.cli.commands;

import io.cellmesh.operations.OperationException;
import io.cellmesh.terminal.TimeText;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigDef.Type;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Options made of settings, so that there is one list of both: {@code token.file} is {@code
 * --token-file}. A time, {@code timeout.ms}, is given with its unit, {@code --timeout 10s}; what is
 * true if nothing is said has an option that denies it; a list has one for each of its values. A
 * password is no option, since everybody on a machine sees its command lines.
 */
final class SettingOptions {
  private static final String MILLIS = ".ms";

  private SettingOptions() {}

  /** Adds an option for each setting. */
  static void add(ConfigDef definition, CommandSpec command) {
    for (var key : definition.configKeys().values()) {
      if (key.type != Type.PASSWORD) {
        command.addOption(option(key));
      }
    }
  }

  private static OptionSpec option(ConfigKey key) {
    var option = OptionSpec.builder(name(key)).description(description(key));
    return switch (key.type) {
      case BOOLEAN -> option.arity("0").type(Boolean.class).build();
      case LIST ->
          option
              .arity("1")
              .paramLabel("NAME")
              .type(List.class)
              .auxiliaryTypes(String.class)
              .build();
      default -> option.arity("1").paramLabel(label(key)).type(String.class).build();
    };
  }

  /** The option of a setting. */
  static String name(ConfigKey key) {
    var name = key.name.replaceFirst("\\.ms$", "").replace('.', '-');
    return switch (key.type) {
      case BOOLEAN -> (isTrue(key) ? "--no-" : "--") + name;
      case LIST -> "--" + name.replaceFirst("s$", "");
      default -> "--" + name;
    };
  }

  private static String label(ConfigKey key) {
    var value = String.valueOf(key.defaultValue);
    if (isTime(key) || TimeText.isOne(value)) {
      return "TIME";
    }
    if (value.contains("..")) {
      return "MIN..MAX";
    }
    return key.type == Type.INT
        ? "N"
        : key.name.substring(key.name.lastIndexOf('.') + 1).toUpperCase(Locale.ROOT);
  }

  /** A sentence or more, and what counts if it is not given. */
  private static String description(ConfigKey key) {
    var text = isTrue(key) ? denied(key.documentation) : key.documentation;
    var value = defaultText(key);
    return (value.isEmpty() ? text : "%s (default: %s)".formatted(text, value)).replace("%", "%%");
  }

  private static String denied(String order) {
    return "Do not " + order.substring(0, 1).toLowerCase(Locale.ROOT) + order.substring(1);
  }

  private static String defaultText(ConfigKey key) {
    if (key.type == Type.BOOLEAN || key.type == Type.LIST || !key.hasDefault()) {
      return "";
    }
    return isTime(key)
        ? TimeText.of(Duration.ofMillis((Long) key.defaultValue))
        : String.valueOf(key.defaultValue);
  }

  /**
   * The settings that were given as options.
   *
   * @throws OperationException if a time is none
   */
  static Map<String, Object> given(ConfigDef definition, ParseResult parsed) {
    var given = new LinkedHashMap<String, Object>();
    for (var key : definition.configKeys().values()) {
      var option = name(key);
      if (parsed.hasMatchedOption(option)) {
        given.put(key.name, value(key, option, parsed));
      }
    }
    return given;
  }

  private static Object value(ConfigKey key, String option, ParseResult parsed) {
    return switch (key.type) {
      case BOOLEAN -> String.valueOf(!isTrue(key));
      case LIST -> parsed.matchedOptionValue(option, List.of());
      default -> {
        var text = parsed.matchedOptionValue(option, "");
        yield isTime(key) ? Long.toString(TimeText.parse(option, text).toMillis()) : text;
      }
    };
  }

  private static boolean isTime(ConfigKey key) {
    return key.name.endsWith(MILLIS);
  }

  private static boolean isTrue(ConfigKey key) {
    return Boolean.TRUE.equals(key.defaultValue);
  }
}
