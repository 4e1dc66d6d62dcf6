package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SignatureException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificatesTest {
  @TempDir private Path dir;

  @Test
  void a_server_is_vouched_for_by_its_own_ca_and_by_no_other() throws Exception {
    var own = Certificates.make(dir.resolve("own"));
    var other = Certificates.make(dir.resolve("other"));
    var server = server(own);

    server.verify(ca(own).getPublicKey());
    assertThatThrownBy(() -> server.verify(ca(other).getPublicKey()))
        .isInstanceOf(SignatureException.class);
    assertThat(server.getSubjectAlternativeNames())
        .contains(List.of(2, "localhost"), List.of(7, "127.0.0.1"));
    assertThat(ca(own).getBasicConstraints()).isNotNegative();
  }

  @Test
  void only_the_owner_reads_what_is_secret() throws Exception {
    var made = Certificates.make(dir.resolve("own"));
    for (var name : List.of("server-key.pem", "truststore.password")) {
      assertThat(Files.getPosixFilePermissions(made.dir().resolve(name))).hasSize(2);
    }
    assertThat(made.dir().resolve("keys.p12")).doesNotExist();
  }

  private static X509Certificate server(Certificates made) throws Exception {
    try (var in = Files.newInputStream(made.dir().resolve("server-cert.pem"))) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  private static X509Certificate ca(Certificates made) throws Exception {
    var store =
        KeyStore.getInstance(made.trustStore().toFile(), made.trustStorePassword().toCharArray());
    return (X509Certificate) store.getCertificate("ca");
  }
}
