package io.cellmesh.triggers.webhook;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Objects;
import org.apache.kafka.common.config.types.Password;

/**
 * A PKCS12 file and what opens it. {@link #toString} hides the password.
 *
 * @param file with keys or certificates
 */
public record StoreFile(Path file, Password password) {
  public StoreFile {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(password, "password");
  }

  /** Opens the file, which must hold a key and its certificate. */
  KeyStore keys() {
    return load(KeyStore::isKeyEntry, "a key");
  }

  /** Opens the file, which must hold a certificate of a CA that is trusted. */
  KeyStore trusted() {
    return load(KeyStore::isCertificateEntry, "a certificate to trust");
  }

  char[] secret() {
    return password.value().toCharArray();
  }

  private interface Entry {
    boolean isIn(KeyStore store, String alias) throws GeneralSecurityException;
  }

  /**
   * @throws IllegalArgumentException naming the file and the rule
   */
  private KeyStore load(Entry wanted, String what) {
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException(file + ": no such file, or not readable");
    }
    try {
      var store = KeyStore.getInstance(file.toFile(), secret());
      for (var aliases = store.aliases(); aliases.hasMoreElements(); ) {
        if (wanted.isIn(store, aliases.nextElement())) {
          return store;
        }
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          file + ": not a PKCS12 file, or another password: " + e.getMessage(), e);
    }
    throw new IllegalArgumentException(
        "%s: it does not hold %s that can be read with this password".formatted(file, what));
  }
}
