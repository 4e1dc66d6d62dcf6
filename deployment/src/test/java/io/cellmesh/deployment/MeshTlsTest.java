package io.cellmesh.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;

class MeshTlsTest {
  @Test
  void two_are_told_apart_by_their_certificates_and_by_nothing_else() throws Exception {
    var known = known();
    var one = tls(store("ca", known[0]), store("ca", known[1]));
    assertThat(tls(store("other", known[0]), store("name", known[1])).digest())
        .isEqualTo(one.digest());
    assertThat(tls(store("ca", known[1]), store("ca", known[0])).digest())
        .isNotEqualTo(one.digest());
    assertThat(tls(store("ca", known[0]), store("ca", known[0])).digest())
        .isNotEqualTo(one.digest());
    assertThat(tls(store("ca", known[0]), store("ca")).digest()).isNotEqualTo(one.digest());
  }

  private static MeshTls tls(KeyStore own, KeyStore trusted) throws Exception {
    return MeshTls.of(own, new char[0], trusted);
  }

  private static KeyStore store(String name, Certificate... certificates) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    for (int i = 0; i < certificates.length; i++) {
      store.setCertificateEntry(name + i, certificates[i]);
    }
    return store;
  }

  /** Some that this machine believes. */
  private static Certificate[] known() throws Exception {
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init((KeyStore) null);
    return ((X509TrustManager) trust.getTrustManagers()[0]).getAcceptedIssuers();
  }
}
