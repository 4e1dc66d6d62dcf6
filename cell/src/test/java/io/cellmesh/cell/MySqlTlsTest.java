package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.MySqlTls.Mode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MySqlTlsTest {
  private static final String PASSWORD = "opens-it";

  @TempDir private Path dir;

  @Test
  void a_trust_store_that_can_not_be_opened_is_refused_before_any_server_is_asked()
      throws Exception {
    var file = dir.resolve("ca.p12");
    assertThatThrownBy(() -> verifying(file, PASSWORD))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(file + ": no such file, or not readable");
    Files.writeString(file, "-----BEGIN CERTIFICATE-----");
    assertThatThrownBy(() -> verifying(file, PASSWORD))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(file + ": not a PKCS12 or JKS file");
    store(file);
    assertThat(verifying(file, PASSWORD).trustStore()).contains(file);
    assertThatThrownBy(() -> verifying(file, "n0t-it"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(file.toString())
        .hasMessageNotContaining("n0t-it");
  }

  @Test
  void a_mode_that_trusts_everybody_has_no_use_for_a_trust_store() throws Exception {
    var file = store(dir.resolve("ca.p12"));
    assertThatThrownBy(() -> MySqlTls.of(Mode.REQUIRED, file.toString(), PASSWORD))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("REQUIRED");
    assertThat(MySqlTls.of(Mode.REQUIRED, "", "").trustStore()).isEmpty();
  }

  @Test
  void its_text_keeps_the_password_to_itself() throws Exception {
    var file = store(dir.resolve("ca.p12"));
    assertThat(verifying(file, PASSWORD)).hasToString("VERIFY_IDENTITY by " + file);
  }

  private static MySqlTls verifying(Path file, String password) {
    return MySqlTls.of(Mode.VERIFY_IDENTITY, file.toString(), password);
  }

  /** Whatever it holds: only whether it opens is asked. */
  private static Path store(Path file) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setEntry(
        "some",
        new KeyStore.SecretKeyEntry(new SecretKeySpec(new byte[16], "AES")),
        new KeyStore.PasswordProtection(PASSWORD.toCharArray()));
    try (var out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD.toCharArray());
    }
    return file;
  }
}
