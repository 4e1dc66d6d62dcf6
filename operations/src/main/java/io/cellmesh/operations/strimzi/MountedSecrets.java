package io.cellmesh.operations.strimzi;

import io.cellmesh.deployment.ConnectorAccess;
import io.cellmesh.operations.OperationException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The Secrets that connectors refer to. A reference to a file under {@code /mnt/NAME} means the
 * Secret of that name, which is where Strimzi lets a Secret be mounted.
 *
 * @param mounted their names
 * @param variables those that {@code ${env:…}} refers to
 * @param providers the config providers that resolve all of them
 */
record MountedSecrets(List<String> mounted, List<String> variables, List<String> providers) {
  private static final String ROOT = "/mnt/";
  private static final Pattern SECRET =
      Pattern.compile("/mnt/([a-z0-9]([-a-z0-9.]*[a-z0-9])?)(?=[:/])");
  private static final Pattern REFERENCE =
      Pattern.compile("\\$\\{(?<provider>env|file|directory):(?<rest>[^}]*)}");

  /**
   * @throws OperationException if a file lies where no Secret can be mounted
   */
  static MountedSecrets of(ConnectorAccess connectors) {
    var mounted = new TreeSet<String>();
    var variables = new TreeSet<String>();
    var providers = new TreeSet<String>();
    for (var text : texts(connectors)) {
      var references = REFERENCE.matcher(text);
      while (references.find()) {
        providers.add(references.group("provider"));
        if (references.group("provider").equals("env")) {
          variables.add(references.group("rest"));
        } else {
          requireMounted(references.group(), references.group("rest"));
        }
      }
      if (text.startsWith("/")) {
        requireMounted(text, text);
      }
      SECRET.matcher(text).results().forEach(found -> mounted.add(found.group(1)));
    }
    return new MountedSecrets(List.copyOf(mounted), List.copyOf(variables), List.copyOf(providers));
  }

  private static List<String> texts(ConnectorAccess connectors) {
    var texts = new ArrayList<String>();
    for (var role : List.of("sink", "source", "index")) {
      texts.add(connectors.mysql(role).password());
      texts.addAll(connectors.kafka(role).values());
      texts.addAll(connectors.settings(role).values());
    }
    connectors.tls().trustStore().ifPresent(file -> texts.add(file.toString()));
    texts.add(connectors.tls().trustStorePassword());
    return texts;
  }

  private static void requireMounted(String text, String path) {
    if (!SECRET.matcher(path).lookingAt()) {
      throw OperationException.invalid(
          "connectors: %s: Strimzi mounts a Secret at %sNAME only, so files that connectors read lie there"
              .formatted(text, ROOT));
    }
  }
}
