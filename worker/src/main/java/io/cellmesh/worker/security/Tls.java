package io.cellmesh.worker.security;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Makes of PEM files what connections are secured with. */
final class Tls {
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

  /** Of a store that never leaves memory. */
  private static final char[] NO_PASSWORD = new char[0];

  private Tls() {}

  /**
   * @param pem certificates, the private key and, if callers need one, their CAs
   * @throws GeneralSecurityException if one can't be read, or the key is not the certificate's
   */
  static SSLContext context(List<byte[]> pem) throws IOException, GeneralSecurityException {
    var chain = Pem.certificates(pem.get(0));
    var key = Pem.key(pem.get(1), chain.get(0).getPublicKey().getAlgorithm());
    requirePair(key, chain.get(0));
    var own = store();
    own.setKeyEntry("own", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, NO_PASSWORD);
    var trusted = store();
    if (pem.size() > 2) {
      for (var ca : Pem.certificates(pem.get(2))) {
        trusted.setCertificateEntry("ca" + trusted.size(), ca);
      }
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  /** Or every handshake would fail, and nobody would say why. */
  private static void requirePair(PrivateKey key, X509Certificate certificate)
      throws GeneralSecurityException {
    var name = SIGNATURES.get(key.getAlgorithm());
    if (name == null) {
      throw new GeneralSecurityException(
          "a key of %s; known are RSA, EC and EdDSA".formatted(key.getAlgorithm()));
    }
    var signature = Signature.getInstance(name);
    signature.initSign(key);
    var signed = signature.sign();
    signature.initVerify(certificate.getPublicKey());
    if (!signature.verify(signed)) {
      throw new GeneralSecurityException("the private key is not the certificate's");
    }
  }

  private static KeyStore store() throws IOException, GeneralSecurityException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
