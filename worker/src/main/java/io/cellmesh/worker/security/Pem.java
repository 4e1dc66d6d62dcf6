package io.cellmesh.worker.security;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads PEM. The JDK has the parts and, before Java 25, nobody who puts them together; a library
 * that does would bring a second implementation of certificates along.
 */
final class Pem {
  private static final String BLOCK = "-----BEGIN %1$s-----([A-Za-z0-9+/=\\s]+)-----END %1$s-----";
  private static final Pattern CERTIFICATE = Pattern.compile(BLOCK.formatted("CERTIFICATE"));
  private static final Pattern KEY = Pattern.compile(BLOCK.formatted("PRIVATE KEY"));
  private static final Pattern OTHER_KEY =
      Pattern.compile("-----BEGIN ((?:RSA|EC|ENCRYPTED) PRIVATE KEY)-----");

  private Pem() {}

  /**
   * Every certificate in a file, in its order.
   *
   * @throws CertificateException if there is none, or one is damaged
   */
  static List<X509Certificate> certificates(byte[] pem) throws CertificateException {
    var factory = CertificateFactory.getInstance("X.509");
    var certificates = new ArrayList<X509Certificate>();
    var blocks = CERTIFICATE.matcher(text(pem));
    while (blocks.find()) {
      var der = new ByteArrayInputStream(der(blocks.group(1)).orElse(new byte[0]));
      certificates.add((X509Certificate) factory.generateCertificate(der));
    }
    if (certificates.isEmpty()) {
      throw new CertificateException("there is no certificate in PEM");
    }
    return certificates;
  }

  /**
   * The first private key in a file.
   *
   * @param algorithm of the public key that it belongs to
   * @throws GeneralSecurityException if there is none that can be read; the message has nothing of
   *     it
   */
  static PrivateKey key(byte[] pem, String algorithm) throws GeneralSecurityException {
    var block = KEY.matcher(text(pem));
    if (block.find()) {
      var der = der(block.group(1));
      if (der.isPresent()) {
        return KeyFactory.getInstance(algorithm)
            .generatePrivate(new PKCS8EncodedKeySpec(der.get()));
      }
    }
    var other = OTHER_KEY.matcher(text(pem));
    throw new GeneralSecurityException(
        other.find()
            ? "%s is not read; `openssl pkcs8 -topk8 -nocrypt` makes a PRIVATE KEY of it"
                .formatted(other.group(1))
            : "there is no PRIVATE KEY in PEM");
  }

  private static Optional<byte[]> der(String base64) {
    try {
      return Optional.of(Base64.getMimeDecoder().decode(base64));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String text(byte[] pem) {
    return new String(pem, StandardCharsets.ISO_8859_1);
  }
}
