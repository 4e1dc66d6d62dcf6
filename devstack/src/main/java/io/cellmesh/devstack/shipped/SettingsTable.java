package io.cellmesh.devstack.shipped;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;

/** The table of a connector's settings on its page in docs/connectors. */
public final class SettingsTable {
  private SettingsTable() {}

  /**
   * What the page should be, as {@link PagePart} has it.
   *
   * @throws IllegalStateException if the page has no place for the table
   */
  public static String expected(Path page, ConfigDef definition) throws IOException {
    return PagePart.expected(page, "settings", "SettingsTable", markdown(definition));
  }

  static String markdown(ConfigDef definition) {
    var table = new StringBuilder("| setting | type | default | what it is |\n|---|---|---|---|\n");
    for (var key : definition.configKeys().values()) {
      table.append(
          "| `%s` | %s | %s | %s |\n"
              .formatted(
                  key.name, key.type.name().toLowerCase(Locale.ROOT), defaultOf(key), text(key)));
    }
    return table.toString();
  }

  private static String defaultOf(ConfigKey key) {
    if (!key.hasDefault()) {
      return "required";
    }
    var value = ConfigDef.convertToString(key.defaultValue, key.type);
    return value == null || value.isEmpty() || key.type == ConfigDef.Type.PASSWORD
        ? "none"
        : "`" + value + "`";
  }

  private static String text(ConfigKey key) {
    var allowed = key.validator == null ? "" : " (" + key.validator + ")";
    return (key.documentation + allowed).replace("|", "\\|").replace("\n", " ");
  }
}
