package io.cellmesh.worker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.devstack.Certificates;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
  private static byte[] certificate;
  private static byte[] key;
  private static byte[] ca;
  private static byte[] otherKey;

  @BeforeAll
  static void make(@TempDir Path dir) throws IOException {
    Certificates.make(dir.resolve("one"));
    Certificates.make(dir.resolve("two"));
    certificate = Files.readAllBytes(dir.resolve("one/server-cert.pem"));
    key = Files.readAllBytes(dir.resolve("one/server-key.pem"));
    ca = Files.readAllBytes(dir.resolve("one/ca.pem"));
    otherKey = Files.readAllBytes(dir.resolve("two/server-key.pem"));
  }

  @Test
  void a_chain_of_certificates_and_a_key_are_read_whatever_stands_between_them() throws Exception {
    var both = ("subject=w1\n" + text(certificate) + "\nissuer=ca\n" + text(ca) + text(key));

    assertThat(Pem.certificates(bytes(both))).hasSize(2);
    assertThat(Tls.context(List.of(bytes(both), bytes(both), ca)).getProtocol()).isEqualTo("TLS");
  }

  @Test
  void a_key_of_another_certificate_is_refused() {
    assertThatThrownBy(() -> Tls.context(List.of(certificate, otherKey)))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessage("the private key is not the certificate's");
  }

  @Test
  void what_is_not_there_or_not_read_is_said_and_nothing_of_a_key_is() {
    assertThatThrownBy(() -> Tls.context(List.of(key, key)))
        .hasMessage("there is no certificate in PEM");
    assertThatThrownBy(() -> Tls.context(List.of(certificate, ca)))
        .hasMessage("there is no PRIVATE KEY in PEM");
    var old = text(key).replace("PRIVATE KEY", "RSA PRIVATE KEY");
    assertThatThrownBy(() -> Tls.context(List.of(certificate, bytes(old))))
        .hasMessageContaining("RSA PRIVATE KEY is not read; `openssl pkcs8");
    var torn = text(key).replaceFirst("\n.{30}", "\n");
    assertThatThrownBy(() -> Tls.context(List.of(certificate, bytes(torn))))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessageNotContaining(text(key).lines().toList().get(2));
    var damaged = text(certificate).replaceFirst("\n.{30}", "\n");
    assertThatThrownBy(() -> Tls.context(List.of(bytes(damaged), key)))
        .isInstanceOf(GeneralSecurityException.class);
  }

  private static String text(byte[] pem) {
    return new String(pem, StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(String pem) {
    return pem.getBytes(StandardCharsets.US_ASCII);
  }
}
