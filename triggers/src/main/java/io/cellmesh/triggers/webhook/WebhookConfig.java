package io.cellmesh.triggers.webhook;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient.Version;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/** The names, defaults and bounds of {@link WebhookSettings} for files and command lines. */
public final class WebhookConfig {
  public static final String URL = "url";
  public static final String TIMEOUT = "timeout.ms";
  public static final String CONNECT_TIMEOUT = "connect.timeout.ms";
  public static final String TOKEN_FILE = "token.file";
  public static final String KEY_STORE = "keystore";
  public static final String TRUST_STORE = "truststore";
  public static final String HTTP_VERSION = "http.version";
  public static final String CONTENT = "content";

  /** Begins the settings of further headers, {@code header.X-Tenant}. */
  public static final String HEADER = "header.";

  private static final String PASSWORD = ".password";
  private static final String PASSWORD_FILE = ".password.file";
  private static final long LONGEST = 600_000;

  private WebhookConfig() {}

  /** All settings but headers. */
  public static ConfigDef definition() {
    var definition =
        new ConfigDef()
            .define(
                URL,
                Type.STRING,
                ConfigDef.NO_DEFAULT_VALUE,
                Importance.HIGH,
                "Where each cell is posted: http or https, without a user or a password. Messages name it without its query.");
    times(definition)
        .define(
            TOKEN_FILE,
            Type.STRING,
            "",
            Importance.MEDIUM,
            "A file with the token of the header Authorization: Bearer. It is read for each request, so a new token counts at once. Over http only for localhost and the addresses of this machine's loopback.")
        .define(
            CONTENT,
            Type.STRING,
            "body",
            ValidString.in("body", "envelope"),
            Importance.MEDIUM,
            "What is posted: the cell's body, or the whole record of the log.")
        .define(
            HTTP_VERSION,
            Type.STRING,
            "auto",
            ValidString.in("auto", "1.1", "2"),
            Importance.LOW,
            "The newest version of HTTP that is offered. auto is 2 over https, where TLS settles it, and 1.1 over http, where 2 asks for an upgrade that some servers do not understand.");
    store(
        definition,
        KEY_STORE,
        "A PKCS12 file with the key and the certificate that the receiver knows the trigger by.");
    store(
        definition,
        TRUST_STORE,
        "A PKCS12 file with the CAs that may vouch for the receiver. Without it those count that the JVM trusts.");
    return definition;
  }

  private static ConfigDef times(ConfigDef definition) {
    return definition
        .define(
            TIMEOUT,
            Type.LONG,
            10_000L,
            Range.between(1, LONGEST),
            Importance.MEDIUM,
            "How long a request may take, from its beginning to the end of its answer.")
        .define(
            CONNECT_TIMEOUT,
            Type.LONG,
            5_000L,
            Range.between(1, LONGEST),
            Importance.LOW,
            "How long it may take to connect, which counts as part of the request.");
  }

  private static void store(ConfigDef definition, String name, String what) {
    definition
        .define(name, Type.STRING, "", Importance.MEDIUM, what)
        .define(
            name + PASSWORD_FILE,
            Type.STRING,
            "",
            Importance.MEDIUM,
            "A file that holds the password of that file, and nothing else but a line break.")
        .define(
            name + PASSWORD,
            Type.PASSWORD,
            "",
            Importance.MEDIUM,
            "The password itself, where a reference such as ${file:/path:key} is resolved before.");
  }

  /**
   * Reads settings by their names. References are resolved before.
   *
   * @throws IllegalArgumentException naming the setting and the rule; also for a name that is
   *     unknown, and for a file that can't be read
   */
  public static WebhookSettings parse(Map<String, String> settings) {
    var definition = definition();
    var headers = new HashMap<String, String>();
    settings.forEach(
        (name, value) -> {
          if (name.startsWith(HEADER)) {
            headers.put(name.substring(HEADER.length()), value);
          } else if (!definition.names().contains(name)) {
            throw new IllegalArgumentException(name + ": no such setting");
          }
        });
    var values = values(definition, settings);
    var url = url((String) values.get(URL));
    return new WebhookSettings(
        url,
        Duration.ofMillis((Long) values.get(TIMEOUT)),
        Duration.ofMillis((Long) values.get(CONNECT_TIMEOUT)),
        path(TOKEN_FILE, values),
        store(KEY_STORE, values),
        store(TRUST_STORE, values),
        version((String) values.get(HTTP_VERSION), url),
        Content.valueOf(((String) values.get(CONTENT)).toUpperCase(Locale.ROOT)),
        headers);
  }

  private static Map<String, Object> values(ConfigDef definition, Map<String, String> settings) {
    try {
      return definition.parse(settings);
    } catch (ConfigException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** The text may hold a password where it does not belong, so that no message repeats it. */
  private static URI url(String text) {
    try {
      return URI.create(new URI(text.strip()).toASCIIString());
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "%s: not a URL: %s at character %d".formatted(URL, e.getReason(), e.getIndex() + 1));
    }
  }

  private static Version version(String text, URI url) {
    boolean newest =
        text.equals("auto") ? "https".equalsIgnoreCase(url.getScheme()) : text.equals("2");
    return newest ? Version.HTTP_2 : Version.HTTP_1_1;
  }

  private static Optional<Path> path(String setting, Map<String, Object> values) {
    var text = (String) values.get(setting);
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(setting + ": not a path: " + e.getReason(), e);
    }
  }

  private static Optional<StoreFile> store(String setting, Map<String, Object> values) {
    var file = path(setting, values);
    var passwordFile = path(setting + PASSWORD_FILE, values);
    var password = (Password) values.get(setting + PASSWORD);
    boolean given = !password.value().isEmpty();
    if (file.isEmpty() && (given || passwordFile.isPresent())) {
      throw new IllegalArgumentException(setting + ": missing, but its password is given");
    }
    if (file.isPresent() && given == passwordFile.isPresent()) {
      throw new IllegalArgumentException(
          "%s: give its password by one of %1$s%s and %1$s%s"
              .formatted(setting, PASSWORD_FILE, PASSWORD));
    }
    return file.map(
        path -> new StoreFile(path, passwordFile.map(f -> password(setting, f)).orElse(password)));
  }

  private static Password password(String setting, Path file) {
    try {
      var text = Files.readString(file, StandardCharsets.UTF_8);
      return new Password(text.replaceFirst("\\r?\\n\\z", ""));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "%s%s: %s can't be read".formatted(setting, PASSWORD_FILE, file), e);
    }
  }
}
