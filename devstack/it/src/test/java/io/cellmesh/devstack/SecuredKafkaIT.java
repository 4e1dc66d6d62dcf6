package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.connect.client.ConnectClient;
import io.cellmesh.connect.client.ConnectClientException;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A broker and a worker that ask who they talk to. */
class SecuredKafkaIT {
  private static final String TOPIC = "lines";

  private static DevStack stack;

  @BeforeAll
  static void start() {
    stack =
        DevStack.start(
            Options.defaults()
                .withDatacenters(1)
                .withoutMySql()
                .withKafkaSecurity()
                .withRestSecurity(),
            Progress.silent());
    broker().create(new NewTopic(TOPIC, 1, (short) 1));
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void a_user_may_what_an_acl_allows_and_nothing_else() throws Exception {
    var user = broker().addUser("reader");

    assertThatThrownBy(() -> describe(user)).hasCauseInstanceOf(TopicAuthorizationException.class);

    try (var admin = broker().admin()) {
      admin.createAcls(List.of(mayDescribe("reader"))).all().get();
    }
    assertThat(describe(user)).isEqualTo(1);
  }

  @Test
  void nobody_signs_on_with_another_password_or_without_one() {
    var wrong = new HashMap<>(broker().addUser("somebody"));
    wrong.computeIfPresent(
        "sasl.jaas.config", (name, login) -> login.replace("password=\"", "password=\"x"));

    assertThatThrownBy(() -> describe(wrong)).hasCauseInstanceOf(SaslAuthenticationException.class);
    assertThatThrownBy(() -> describe(Map.of())).isInstanceOf(ExecutionException.class);
  }

  @Test
  void a_worker_answers_its_user_alone() {
    var security = RestSecurity.of(stack.stateDir()).orElseThrow();
    var worker = URI.create(stack.worker("dc1").url());
    var trust = Optional.of(security.trust());
    var wrong = new PasswordAuthentication(RestSecurity.USER, "wrong".toCharArray());

    assertThat(worker).hasScheme("https");
    assertThat(stack.worker("dc1").client().connectors()).isEmpty();
    for (var login : List.of(Optional.<PasswordAuthentication>empty(), Optional.of(wrong))) {
      assertThatThrownBy(() -> new ConnectClient(worker, login, trust).connectors())
          .isInstanceOf(ConnectClientException.class)
          .hasMessageContaining("401");
    }
    assertThatThrownBy(
            () ->
                new ConnectClient(worker, Optional.of(security.login()), Optional.empty())
                    .connectors())
        .isInstanceOf(ConnectClientException.class);
  }

  @Test
  void only_the_owner_reads_the_secrets_and_connectors_can_not() throws Exception {
    var state = stack.stateDir();
    for (var file :
        List.of(
            broker().properties(),
            stack.worker("dc1").properties(),
            state.resolve("auth/kafka.password"),
            state.resolve("auth/rest.properties"),
            state.resolve("tls/keystore.p12"))) {
      assertThat(permissions(file)).as(file.toString()).isEqualTo("rw-------");
    }
    assertThat(state.resolve("stack.json"))
        .content()
        .doesNotContain(Files.readString(state.resolve("auth/kafka.password")));
  }

  @Test
  void what_keeps_the_stack_is_found_by_who_takes_it_over() throws Exception {
    var attached = DevStack.attach(stack.stateDir());

    assertThat(describe(attached.broker("dc1").administrator())).isEqualTo(1);
    assertThat(attached.worker("dc1").client().isHealthy()).isTrue();
    assertThat(attached.endpoints().dc("dc1").connect()).isEqualTo(stack.worker("dc1").url());
  }

  private static KafkaBroker broker() {
    return stack.broker("dc1");
  }

  private static String permissions(Path file) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  /** How many partitions the topic has. */
  private static int describe(Map<String, String> client) throws Exception {
    var settings = new HashMap<String, Object>(client);
    settings.put("bootstrap.servers", broker().bootstrap());
    settings.put("request.timeout.ms", 2_000);
    settings.put("default.api.timeout.ms", 4_000);
    try (var admin = Admin.create(settings)) {
      return admin
          .describeTopics(List.of(TOPIC), new DescribeTopicsOptions().timeoutMs(4_000))
          .topicNameValues()
          .get(TOPIC)
          .get()
          .partitions()
          .size();
    }
  }

  private static AclBinding mayDescribe(String user) {
    return new AclBinding(
        new ResourcePattern(ResourceType.TOPIC, TOPIC, PatternType.LITERAL),
        new AccessControlEntry(
            "User:" + user, "*", AclOperation.DESCRIBE, AclPermissionType.ALLOW));
  }
}
