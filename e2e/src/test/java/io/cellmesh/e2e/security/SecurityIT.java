package io.cellmesh.e2e.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.index.FieldType;
import io.cellmesh.cell.index.IndexColumn;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexField;
import io.cellmesh.devstack.Certificates;
import io.cellmesh.e2e.Command;
import io.cellmesh.storage.grants.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The whole path with VERIFY_IDENTITY and one MySQL user a role, and how each fails. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SecurityIT {
  private static final String SINK = "trips-sink";
  private static final String SOURCE = "trips-source-c2";
  private static final String INDEX_SINK = "trips-index-sink-p1";
  private static final String WRONG_PASSWORD = "wr0ng-but-as-secret";

  @TempDir private static Path files;

  private static SecureStack stack;
  private static UUID row;
  private static UUID driver;

  @BeforeAll
  static void start() throws Exception {
    stack = SecureStack.start();
    row = stack.rowOf("c1");
    driver = stack.rowOf("c2");
  }

  @AfterAll
  static void stop() {
    if (stack != null) {
      stack.close();
    }
  }

  @Test
  @Order(1)
  void a_cell_goes_all_the_way_and_every_role_signs_on_as_itself_by_tls() throws Exception {
    stack.put(row, driver);
    stack.awaitIndexed(row, driver);
    var query = stack.asReader(Map.of(), SecureStack.query(driver)).get();
    assertThat(query.exit()).as(query.err()).isZero();
    assertThat(query.out()).contains(row.toString());
    assertThat(stack.secrets()).hasSize(Role.values().length + 5);
    for (var connector : stack.connect().connectors()) {
      assertThat(stack.connect().config(connector))
          .containsEntry("mysql.ssl.mode", "VERIFY_IDENTITY")
          .hasEntrySatisfying("mysql.user", user -> assertThat(user).startsWith("cellmesh_"))
          .hasEntrySatisfying("mysql.password", word -> assertThat(word).startsWith("${file:"))
          .containsEntry("consumer.override.security.protocol", "SASL_SSL")
          .hasEntrySatisfying(
              "consumer.override.sasl.jaas.config",
              login -> assertThat(login).startsWith("${file:"));
    }
    assertThat(plainAccounts()).isEqualTo("0 of " + Role.values().length);
  }

  @Test
  @Order(2)
  void another_ca_and_a_wrong_password_are_refused_with_the_server_and_the_user() throws Exception {
    var other = Certificates.make(files.resolve("other"));
    var wrongTrust =
        Map.of(
            "mysql.ssl.truststore.location",
            other.trustStore().toString(),
            "mysql.ssl.truststore.password",
            stack.reference("other", other.trustStorePassword()));
    var wrongPassword = Map.of("mysql.password", stack.reference("wrong", WRONG_PASSWORD));
    var reader =
        stack.asReader(
            Map.of(
                "CELLMESH_MYSQL_TRUSTSTORE", other.trustStore().toString(),
                "CELLMESH_MYSQL_TRUSTSTORE_PASSWORD_FILE",
                    other.dir().resolve("truststore.password").toString()),
            get());
    var byTrust = stack.refusal(SINK, wrongTrust);
    var byPassword = stack.refusal(SINK, wrongPassword);
    stack.post("trust-source", stack.changed(SOURCE, wrongTrust));
    stack.post("trust-index", stack.changed(INDEX_SINK, wrongTrust));
    stack.post("password-source", stack.changed(SOURCE, wrongPassword));
    stack.post("password-index", stack.changed(INDEX_SINK, wrongPassword));

    assertThat(byTrust.get()).contains(address("c1"), "mysql.ssl.mode", "trust store");
    assertThat(byPassword.get())
        .contains(address("c1"), "Access denied for user 'cellmesh_sink'@", "its password");
    assertThat(stack.awaitFailure("trust-source"))
        .contains("127.0.0.1:", "mysql.ssl.truststore.location");
    assertThat(stack.awaitFailure("trust-index")).contains("127.0.0.1:", "trust store");
    assertThat(stack.awaitFailure("password-source"))
        .contains("127.0.0.1:", "user cellmesh_source", "its password");
    assertThat(stack.awaitFailure("password-index"))
        .contains("127.0.0.1:", "'cellmesh_index'@", "its password");
    assertThat(reader.get().exit()).isEqualTo(3);
    assertThat(reader.get().err()).contains(address("c1"), "trust store");

    var kept = new ArrayList<>(stack.secrets());
    kept.addAll(List.of(WRONG_PASSWORD, other.trustStorePassword()));
    assertThat(Leaks.of(kept, stack.devStack())).isEmpty();
    for (var connector :
        List.of("trust-source", "trust-index", "password-source", "password-index")) {
      stack.connect().delete(connector);
    }
  }

  @Test
  @Order(3)
  void a_missing_grant_is_named_with_the_server_and_the_user_and_giving_it_mends_all()
      throws Exception {
    var entity = stack.database(row) + ".entity";
    var entries = stack.database(driver) + ".idx_driver_partner_index_v1";
    var second = stack.rowOf("c1");
    stack.master("c2").execute("REVOKE REPLICATION SLAVE ON *.* FROM " + account("source"));
    stack.masterOf(driver).execute("REVOKE INSERT ON " + entries + " FROM " + account("index"));
    stack
        .masterOf(row)
        .execute(
            "REVOKE SELECT ON `%s`.* FROM %s"
                .formatted(stack.database(row).replace("_", "\\_"), account("reader")));
    var reader = stack.asReader(Map.of(), get());
    stack.connect().restart(SOURCE);
    stack.put(second, driver);
    assertThat(stack.awaitFailure(INDEX_SINK))
        .contains(stack.masterOf(driver).server().address())
        .contains("INSERT command denied to user 'cellmesh_index'@", "cellmesh grants");
    assertThat(stack.awaitFailure(SOURCE))
        .contains("127.0.0.1:", "user cellmesh_source", "REPLICATION SLAVE", "cellmesh grants");

    stack.masterOf(row).execute("REVOKE INSERT ON " + entity + " FROM " + account("sink"));
    var third = sameShard(row);
    stack.put(third, driver);
    assertThat(stack.awaitFailure(SINK))
        .contains(address("c1"))
        .contains("INSERT command denied to user 'cellmesh_sink'@", "cellmesh grants");

    assertThat(reader.get().exit()).isEqualTo(3);
    assertThat(reader.get().err())
        .contains(address("c1"), "SELECT command denied to user 'cellmesh_reader'@");

    stack.master("c2").execute("GRANT REPLICATION SLAVE ON *.* TO " + account("source"));
    stack.masterOf(driver).execute("GRANT INSERT ON " + entries + " TO " + account("index"));
    stack.masterOf(row).execute("GRANT INSERT ON " + entity + " TO " + account("sink"));
    List.of(SOURCE, INDEX_SINK, SINK).forEach(stack::restart);
    stack.awaitIndexed(second, driver);
    stack.awaitIndexed(third, driver);
    var verify = stack.on("verify");
    assertThat(verify.exit()).as(verify.out() + verify.err()).isZero();
    assertThat(Leaks.of(stack.secrets(), stack.devStack())).isEmpty();
  }

  @Test
  @Order(4)
  void an_index_is_built_by_an_operator_who_may_not_grant_once_somebody_else_has()
      throws Exception {
    var word = "bu1lders-0wn";
    for (var cluster : List.of("c1", "c2")) {
      stack
          .master(cluster)
          .execute("CREATE USER builder@127.0.0.1 IDENTIFIED BY '%s'".formatted(word));
      stack.master(cluster).execute("GRANT ALL ON *.* TO builder@127.0.0.1");
    }
    var deployment = stack.deploymentOf("builder", stack.reference("builder", word));
    var index =
        new IndexDefinition(
            "by_city",
            "trips",
            List.of(new IndexColumn("BASE", List.of(IndexField.of("city_uuid", FieldType.UUID)))));
    var file = Files.writeString(files.resolve("by_city.yaml"), index.toYaml()).toString();
    var create = new String[] {"index", "create", file, "--deployment", deployment.toString()};

    var refused = Command.run(create);
    assertThat(refused.exit()).as(refused.out() + refused.err()).isEqualTo(1);
    assertThat(refused.err())
        .contains(
            "cellmesh_index may not write the new tables",
            "`cellmesh grants --role index --user cellmesh_index --dc dc1 --index FILE`",
            "by_city");
    stack.grant(index);
    var created = Command.run(create);
    assertThat(created.exit()).as(created.out() + created.err()).isZero();
    assertThat(created.out()).contains("by_city serves");
    assertThat(stack.connect().config("trips-index-sink-p2"))
        .containsEntry("mysql.user", "cellmesh_index")
        .hasEntrySatisfying("mysql.password", secret -> assertThat(secret).startsWith("${file:"));
    var kept = new ArrayList<>(stack.secrets());
    kept.add(word);
    assertThat(Leaks.of(kept, stack.devStack())).isEmpty();
  }

  private static List<String> get() {
    return List.of("get", row.toString(), "BASE");
  }

  private static String address(String cluster) {
    return stack.master(cluster).server().address();
  }

  private static String account(String role) {
    return "'cellmesh_" + role + "'@'127.0.0.1'";
  }

  private static UUID sameShard(UUID row) {
    while (true) {
      var other = stack.rowOf("c1");
      if (stack.database(other).equals(stack.database(row))) {
        return other;
      }
    }
  }

  /** How many of the roles' accounts a server would take without TLS. */
  private static String plainAccounts() {
    return stack
        .master("c1")
        .query(
            "SELECT CONCAT(COALESCE(SUM(ssl_type = ''), 0), ' of ', COUNT(*))"
                + " FROM mysql.user WHERE user LIKE 'cellmesh\\_%'");
  }
}
