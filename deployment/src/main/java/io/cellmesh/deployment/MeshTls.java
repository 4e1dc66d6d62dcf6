package io.cellmesh.deployment;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.HexFormat;
import java.util.TreeSet;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A data centre's own certificate and the CAs that it believes, for both ends of HTTP between data
 * centres.
 *
 * @param digest of all these certificates, by which two are told apart
 */
public record MeshTls(SSLContext context, String digest) {
  /**
   * Takes what both stores hold.
   *
   * @param password of the own key
   * @throws GeneralSecurityException if the key can't be read with it
   */
  static MeshTls of(KeyStore own, char[] password, KeyStore trusted)
      throws GeneralSecurityException {
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, password);
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return new MeshTls(context, digest(own) + digest(trusted));
  }

  /** The names of the entries don't matter. */
  private static String digest(KeyStore store) throws GeneralSecurityException {
    var certificates = new TreeSet<String>();
    for (var alias : Collections.list(store.aliases())) {
      var certificate = store.getCertificate(alias);
      if (certificate != null) {
        certificates.add(hex(certificate.getEncoded()));
      }
    }
    return hex(String.join(" ", certificates).getBytes(StandardCharsets.US_ASCII));
  }

  private static String hex(byte[] bytes) throws GeneralSecurityException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
