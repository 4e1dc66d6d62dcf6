package io.cellmesh.client;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Makes of a file of CAs what connections are secured with. */
final class Trust {
  private Trust() {}

  /**
   * Trusts the certificates in a file and no others.
   *
   * @param pem certificates in PEM, one after the other
   * @throws IllegalArgumentException if there is none that can be read; it names the file
   */
  static SSLContext in(Path pem) {
    try {
      var trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      try (var in = new BufferedInputStream(Files.newInputStream(pem))) {
        for (var ca : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
          trusted.setCertificateEntry("ca" + trusted.size(), ca);
        }
      }
      if (trusted.size() == 0) {
        throw new GeneralSecurityException("it has no certificate in PEM");
      }
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      var context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "trusted = \"%s\": %s"
              .formatted(pem, e instanceof IOException ? "can't be read" : e.getMessage()),
          e);
    }
  }
}
