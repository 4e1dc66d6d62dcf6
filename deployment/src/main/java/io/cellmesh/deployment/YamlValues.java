package io.cellmesh.deployment;

import io.cellmesh.cell.yaml.YamlTree;
import io.cellmesh.cell.yaml.YamlTree.Mapping;
import io.cellmesh.cell.yaml.YamlTree.Scalar;
import io.cellmesh.deployment.References.UnresolvedException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the values of {@code cellmesh.yaml} that need more than their text: references to secrets,
 * addresses, key stores. What is wrong is refused with line, field and rule, and without what may
 * be a secret.
 */
final class YamlValues {
  private YamlValues() {}

  /** Refuses what is no reference, of those that are there. */
  static void checkReferences(Mapping section, String... names) {
    for (var name : names) {
      if (section.entries().containsKey(name)) {
        checkReference(section.text(name), name);
      }
    }
  }

  private static void checkReference(Scalar secret, String name) {
    try {
      References.check(secret.text().replace(ConnectorAccess.ROLE, "role"));
    } catch (UnresolvedException e) {
      throw YamlTree.refuse(secret, name + ": " + e.getMessage());
    }
  }

  /** Whatever may be a secret is a reference here as well. */
  static Map<String, String> texts(Mapping section) {
    var texts = new LinkedHashMap<String, String>();
    for (var entry : section.entries().entrySet()) {
      if (!(entry.getValue() instanceof Scalar value)) {
        throw YamlTree.refuse(entry.getValue(), entry.getKey() + " must be a text");
      }
      if (entry.getKey().contains("password") || entry.getKey().endsWith("jaas.config")) {
        checkReference(value, entry.getKey());
      }
      texts.put(entry.getKey(), value.text());
    }
    return texts;
  }

  /** Empty if it is not there. */
  static String resolved(Mapping section, String name) {
    return optional(section, name)
        .map(
            secret -> {
              try {
                return References.resolve(secret.text());
              } catch (UnresolvedException e) {
                throw YamlTree.refuse(secret, name + ": " + e.getMessage());
              }
            })
        .orElse("");
  }

  static Optional<Scalar> optional(Mapping section, String name) {
    return section.entries().containsKey(name) ? Optional.of(section.text(name)) : Optional.empty();
  }

  static URI url(String name, Scalar text) {
    try {
      var url = new URI(text.text());
      boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      if (web && url.getHost() != null && url.getUserInfo() == null) {
        return url;
      }
    } catch (URISyntaxException e) {
      // Said below, without what may be a password in it.
    }
    throw YamlTree.refuse(
        text, name + ": must be http://host:port or https://host:port, and hold no password");
  }

  /**
   * The key store in the file that a field names.
   *
   * @param base the directory that files are relative to
   * @param password the field with the reference to its password
   */
  static KeyStore store(Path base, Mapping section, String name, String password)
      throws GeneralSecurityException {
    var secret = resolved(section, password);
    try (var in = Files.newInputStream(base.resolve(section.text(name).text()))) {
      var store = KeyStore.getInstance("PKCS12");
      store.load(in, secret.isEmpty() ? null : secret.toCharArray());
      return store;
    } catch (IOException e) {
      throw unreadable(base, section, name);
    }
  }

  /** What is said of a store that can't be read. */
  static RuntimeException unreadable(Path base, Mapping section, String name) {
    var file = section.text(name);
    return YamlTree.refuse(
        file,
        "%s: %s can't be read as PKCS12 or JKS with its password"
            .formatted(name, base.resolve(file.text())));
  }
}
