package io.cellmesh.deployment;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigTransformer;
import org.apache.kafka.common.config.provider.ConfigProvider;
import org.apache.kafka.common.config.provider.DirectoryConfigProvider;
import org.apache.kafka.common.config.provider.EnvVarConfigProvider;
import org.apache.kafka.common.config.provider.FileConfigProvider;

/**
 * Secrets by reference, {@code ${provider:[path:]key}}, in the grammar of Kafka's config providers
 * and resolved by the same classes as a Connect worker does it.
 */
final class References {
  private static final Pattern WHOLE = Pattern.compile("\\$\\{([^:{}]*):(?:([^{}]*):)?([^:{}]*)}");
  private static final List<String> WITH_PATH = List.of("file", "directory");

  private References() {}

  /** Thrown with what is wrong, never with a secret. */
  static final class UnresolvedException extends Exception {
    private static final long serialVersionUID = 1L;

    UnresolvedException(String message) {
      super(message);
    }
  }

  /**
   * Checks that a text is one reference and nothing else, of the form that its provider needs.
   *
   * @throws UnresolvedException naming the rule; the text only if it is a reference
   */
  static void check(String text) throws UnresolvedException {
    var parts = WHOLE.matcher(text);
    if (!parts.matches()) {
      throw new UnresolvedException(
          "a secret is given by reference, such as ${env:NAME}, ${file:/path:key} or ${directory:/path:name}, never itself");
    }
    var provider = parts.group(1);
    var path = parts.group(2);
    if (provider.isEmpty() || parts.group(3).isEmpty()) {
      throw new UnresolvedException(text + " lacks its provider or its key");
    }
    if (WITH_PATH.contains(provider) && (path == null || path.isEmpty())) {
      throw new UnresolvedException(
          "%s lacks its path: ${%s:/path:%s}".formatted(text, provider, parts.group(3)));
    }
  }

  /**
   * Resolves every reference in a text by the providers {@code env}, {@code file} and {@code
   * directory}.
   *
   * @throws UnresolvedException naming the reference that leads to nothing
   */
  static String resolve(String text) throws UnresolvedException {
    return resolve(Map.of("value", text)).get("value");
  }

  /** As {@link #resolve(String)}, of all values. */
  static Map<String, String> resolve(Map<String, String> settings) throws UnresolvedException {
    Map<String, ConfigProvider> providers =
        Map.of(
            "env", new EnvVarConfigProvider(),
            "file", new FileConfigProvider(),
            "directory", new DirectoryConfigProvider());
    try {
      for (var provider : providers.values()) {
        provider.configure(Map.of());
      }
      var resolved = new ConfigTransformer(providers).transform(settings).data();
      for (var setting : settings.entrySet()) {
        check(setting.getValue(), resolved.get(setting.getKey()));
      }
      return new HashMap<>(resolved);
    } catch (ConfigException e) {
      throw new UnresolvedException(e.getMessage());
    } finally {
      for (var provider : providers.values()) {
        close(provider);
      }
    }
  }

  /** What the providers don't know they leave as it is. */
  private static void check(String text, String resolved) throws UnresolvedException {
    var references = ConfigTransformer.DEFAULT_PATTERN.matcher(text);
    while (references.find()) {
      var reference = references.group();
      if (resolved.contains(reference)) {
        throw new UnresolvedException(
            reference
                + " leads to nothing: "
                + (reference.startsWith("${env:")
                    ? "the variable is not set"
                    : reference.startsWith("${file:") || reference.startsWith("${directory:")
                        ? "no such file, or no such key in it"
                        : "known here are the providers env, file and directory"));
      }
    }
    if (text.startsWith("${directory:") && resolved.endsWith("\n")) {
      throw new UnresolvedException(
          text
              + " ends with a line break, which would be a part of the secret; write the file with printf");
    }
  }

  private static void close(ConfigProvider provider) {
    try {
      provider.close();
    } catch (IOException e) {
      throw new IllegalStateException("providers of files and variables hold nothing open", e);
    }
  }
}
