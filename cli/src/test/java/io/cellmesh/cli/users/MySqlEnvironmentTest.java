package io.cellmesh.cli.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.MySqlTls;
import io.cellmesh.cli.outcome.CliException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MySqlEnvironmentTest {
  @TempDir private Path dir;

  @Test
  void withoutVariablesItIsTheUserThatTheCommandHasAndNoPassword() {
    var credentials = new MySqlEnvironment(Map.of()).credentials("root");

    assertThat(credentials.user()).isEqualTo("root");
    assertThat(credentials.password()).isEmpty();
    assertThat(credentials.tls()).isEqualTo(MySqlTls.DEFAULT);
  }

  @Test
  void aPasswordIsTakenFromAFileWithoutItsLineEnd() throws Exception {
    var file = Files.writeString(dir.resolve("password"), "s3cret\n");
    var environment =
        Map.of("CELLMESH_MYSQL_USER", "anna", "CELLMESH_MYSQL_PASSWORD_FILE", file.toString());

    var credentials = new MySqlEnvironment(environment).credentials("root");

    assertThat(credentials.user()).isEqualTo("anna");
    assertThat(credentials.password()).isEqualTo("s3cret");
    assertThat(credentials).hasToString("anna");
  }

  @Test
  void theUserThatMinionsFollowWithHasAPasswordOfItsOwnAndTheTlsOfAll() throws Exception {
    var file = Files.writeString(dir.resolve("password"), "0ther\n");
    var environment =
        Map.of(
            "CELLMESH_MYSQL_USER", "anna",
            "CELLMESH_MYSQL_PASSWORD", "s3cret",
            "CELLMESH_REPLICATION_PASSWORD_FILE", file.toString(),
            "CELLMESH_MYSQL_SSL_MODE", "REQUIRED");

    var credentials = new MySqlEnvironment(environment).replication("repl");

    assertThat(credentials.user()).isEqualTo("repl");
    assertThat(credentials.password()).isEqualTo("0ther");
    assertThat(credentials.tls().mode()).isEqualTo(MySqlTls.Mode.REQUIRED);
  }

  @Test
  void whatIsWrongIsNamedByItsVariable() {
    refused(Map.of("CELLMESH_MYSQL_SSL_MODE", "STRICT"), "CELLMESH_MYSQL_SSL_MODE: \"STRICT\"");
    refused(Map.of("CELLMESH_MYSQL_PASSWORD_FILE", "/no/such"), "CELLMESH_MYSQL_PASSWORD_FILE");
    refused(
        Map.of("CELLMESH_MYSQL_PASSWORD", "a", "CELLMESH_MYSQL_PASSWORD_FILE", "/b"), "not both");
    refused(
        Map.of("CELLMESH_MYSQL_SSL_MODE", "VERIFY_CA", "CELLMESH_MYSQL_TRUSTSTORE", "/no/such.p12"),
        "CELLMESH_MYSQL_TRUSTSTORE: /no/such.p12");
  }

  private static void refused(Map<String, String> environment, String message) {
    assertThatThrownBy(() -> new MySqlEnvironment(environment).credentials("root"))
        .isInstanceOf(CliException.class)
        .hasMessageContaining(message);
  }
}
