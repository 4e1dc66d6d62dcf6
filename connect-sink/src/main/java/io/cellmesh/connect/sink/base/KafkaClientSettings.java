package io.cellmesh.connect.sink.base;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.SaslConfigs;

/**
 * The settings with {@code kafka.} in front, for the sink's own Kafka clients. Connect's policy of
 * overrides does not see them, so they have a rule of their own: whoever may post a connector must
 * not thereby choose which classes a worker runs.
 */
final class KafkaClientSettings {
  static final String PREFIX = "kafka.";

  /** What names classes, too, without being of that type. */
  private static final Set<String> CLASS_LISTS =
      Set.of(
          AdminClientConfig.METRIC_REPORTER_CLASSES_CONFIG,
          ProducerConfig.INTERCEPTOR_CLASSES_CONFIG,
          AdminClientConfig.SECURITY_PROVIDERS_CONFIG,
          AdminClientConfig.CONFIG_PROVIDERS_CONFIG);

  /** The class that a JAAS configuration begins with, where it is one of Kafka's or the JDK's. */
  private static final Pattern LOGIN =
      Pattern.compile(
          "\\s*(org\\.apache\\.kafka\\.common\\.security\\.(plain\\.PlainLoginModule"
              + "|scram\\.ScramLoginModule|oauthbearer\\.OAuthBearerLoginModule)"
              + "|com\\.sun\\.security\\.auth\\.module\\.Krb5LoginModule)\\s+required\\b([^;\"]|\"[^\"]*\")*;\\s*");

  private static final Set<String> ALLOWED = allowed();

  private KafkaClientSettings() {}

  /**
   * Takes the settings of the clients out of a connector's, under Kafka's own names.
   *
   * @param settings valid ones
   */
  static Map<String, Object> of(Map<String, String> settings) {
    var client = new LinkedHashMap<String, Object>();
    settings.forEach(
        (name, value) -> {
          if (name.startsWith(PREFIX)) {
            client.put(name.substring(PREFIX.length()), value);
          }
        });
    return client;
  }

  /**
   * Finds the settings that are not allowed.
   *
   * @return the rule that each breaks, by the setting's name; no value, for it may be a secret
   */
  static Map<String, String> problems(Map<String, String> settings) {
    var problems = new TreeMap<String, String>();
    of(settings)
        .forEach(
            (name, value) -> {
              if (!ALLOWED.contains(name)) {
                problems.put(
                    PREFIX + name,
                    "is no setting of a Kafka client that names no class; a worker runs only the classes that its administrator chose");
              } else if (name.equals(SaslConfigs.SASL_JAAS_CONFIG) && !isLogin((String) value)) {
                problems.put(
                    PREFIX + name,
                    "must be one login by PlainLoginModule, ScramLoginModule, OAuthBearerLoginModule or Krb5LoginModule, with its class in full and the word required");
              }
            });
    return problems;
  }

  /** What the worker resolves only later can't be judged now. */
  private static boolean isLogin(String jaas) {
    return jaas.startsWith("${") || LOGIN.matcher(jaas).matches();
  }

  private static Set<String> allowed() {
    var allowed = new HashSet<String>();
    for (var definition : Set.of(AdminClientConfig.configDef(), ProducerConfig.configDef())) {
      definition.configKeys().values().stream()
          .filter(key -> !namesClasses(key))
          .forEach(key -> allowed.add(key.name));
    }
    return Set.copyOf(allowed);
  }

  private static boolean namesClasses(ConfigDef.ConfigKey key) {
    return key.type == Type.CLASS || key.name.endsWith(".class") || CLASS_LISTS.contains(key.name);
  }
}
