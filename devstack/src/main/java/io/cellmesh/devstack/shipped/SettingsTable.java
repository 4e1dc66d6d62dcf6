package io.cellmesh.devstack.shipped;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;

/**
 * The table of a connector's settings on its page in docs/connectors, between two comments.
 *
 * <p>A test calls {@link #expected} and compares. Run it with {@code -Dcellmesh.docs.write=true} to
 * bring the page up to date.
 */
public final class SettingsTable {
  private static final String BEGIN = "<!-- settings: written by SettingsTable -->\n";
  private static final String END = "<!-- end of settings -->";

  private SettingsTable() {}

  /**
   * What the page should be.
   *
   * @throws IllegalStateException if the page lacks the two comments
   */
  public static String expected(Path page, ConfigDef definition) throws IOException {
    var text = Files.readString(page);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END, begin);
    if (begin < 0 || end < 0) {
      throw new IllegalStateException(page + " has no place for the table of settings");
    }
    var expected = text.substring(0, begin) + BEGIN + markdown(definition) + text.substring(end);
    if (Boolean.getBoolean("cellmesh.docs.write")) {
      Files.writeString(page, expected);
    }
    return expected;
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
