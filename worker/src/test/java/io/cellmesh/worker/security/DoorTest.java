package io.cellmesh.worker.security;

import static io.cellmesh.worker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.devstack.Certificates;
import io.cellmesh.worker.security.UnknownCallerException.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DoorTest {
  private static final InetSocketAddress HERE = new InetSocketAddress("127.0.0.1", 0);
  private static final NewToken TOKEN = NewToken.draw("billing", List.of("trips:read"));

  @TempDir private Path dir;

  private Door withTokens() throws IOException {
    var file = Files.writeString(dir.resolve("tokens.yaml"), "tokens:\n" + TOKEN.entry());
    return Door.open(
        new Protection(Optional.of(file), Optional.empty(), false, Limits.USUAL), HERE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "10.1.2.3", "::"})
  void other_machines_are_not_served_without_tokens(String address) {
    assertThatThrownBy(() -> Door.open(Protection.LOOPBACK, new InetSocketAddress(address, 1)))
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining("worker token")
        .hasMessageContaining("--tokens FILE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1", "localhost"})
  void this_machine_is(String address) {
    assertThatCode(() -> Door.open(Protection.LOOPBACK, new InetSocketAddress(address, 1)).close())
        .doesNotThrowAnyException();
  }

  @Test
  void without_tokens_a_peer_of_another_machine_is_unknown_wherever_the_worker_listens()
      throws Exception {
    try (var door = Door.open(Protection.LOOPBACK, HERE)) {
      assertThat(kind(door, "10.0.0.1", List.of(), null, null)).isEqualTo(Kind.NO_TOKEN);
      assertThat(caller(door, "127.0.0.1", List.of(), null, null)).isEqualTo(Caller.LOCAL);
      assertThat(caller(door, "::1", List.of(), null, null)).isEqualTo(Caller.LOCAL);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "evil.example:8080, ",
    "localhost.evil.example, ",
    "127.0.0.1.evil.example:80, ",
    "localhost:8080, https://evil.example",
    "localhost:8080, http://localhost.evil.example",
    "localhost:8080, null",
    "localhost:8080, nonsense:",
  })
  void without_tokens_a_browser_does_nothing_for_pages_of_others(String host, String origin)
      throws Exception {
    try (var door = Door.open(Protection.LOOPBACK, HERE)) {
      assertThat(kind(door, "127.0.0.1", List.of(), host, origin)).isEqualTo(Kind.FOREIGN);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "localhost:8080, http://localhost:8080",
    "127.0.0.1:8080, http://127.0.0.1:8080",
    "[::1]:8080, http://[::1]:8080",
    "LocalHost, ",
  })
  void without_tokens_a_page_of_this_machine_may(String host, String origin) throws Exception {
    try (var door = Door.open(Protection.LOOPBACK, HERE)) {
      assertThat(caller(door, "127.0.0.1", List.of(), host, origin)).isEqualTo(Caller.LOCAL);
    }
  }

  @Test
  void with_tokens_nobody_is_known_without_one_not_even_on_this_machine() throws Exception {
    try (var door = withTokens()) {
      assertThat(kind(door, "127.0.0.1", List.of(), null, null)).isEqualTo(Kind.NO_TOKEN);
      for (var header : List.of("", "Bearer", "Basic YTpi", TOKEN.token())) {
        assertThat(kind(door, "127.0.0.1", List.of(header), null, null))
            .as(header)
            .isEqualTo(Kind.NO_TOKEN);
      }
      var bearer = "Bearer " + TOKEN.token();
      assertThat(kind(door, "10.0.0.1", List.of(bearer, bearer), null, null))
          .isEqualTo(Kind.NO_TOKEN);
      assertThat(kind(door, "10.0.0.1", List.of(bearer + "x"), null, null))
          .isEqualTo(Kind.UNKNOWN_TOKEN);
    }
  }

  @Test
  void with_tokens_their_owners_are_known_from_anywhere() throws Exception {
    try (var door = withTokens()) {
      for (var header : List.of("Bearer ", "bearer ", "BEARER   ")) {
        assertThat(caller(door, "10.0.0.1", List.of(header + TOKEN.token()), "w1", "https://w1"))
            .extracting(Caller::name)
            .isEqualTo("billing");
      }
    }
  }

  @Test
  void a_certificate_that_could_not_be_taken_into_use_is_not_in_force_and_tried_again()
      throws Exception {
    var files = new TlsFiles(dir.resolve("cert.pem"), dir.resolve("key.pem"), Optional.empty());
    use(Certificates.make(dir.resolve("first")), files);
    var protection = new Protection(Optional.empty(), Optional.of(files), false, Limits.USUAL);
    try (var door = Door.open(protection, HERE)) {
      var tls = door.tls().orElseThrow();
      tls.start();
      var first = tls.getSslContext();
      // It is no pattern, so whatever is loaded with it fails.
      tls.setIncludeCipherSuites("[");
      use(Certificates.make(dir.resolve("second")), files);
      await().during(Duration.ofSeconds(3)).until(() -> !door.fresh().get("certificate"));

      tls.setIncludeCipherSuites();

      await().until(() -> door.fresh().get("certificate"));
      assertThat(tls.getSslContext()).isNotSameAs(first);
      tls.stop();
    }
  }

  private static void use(Certificates certificates, TlsFiles files) throws IOException {
    for (var copy :
        Map.of("server-cert.pem", files.certificate(), "server-key.pem", files.key()).entrySet()) {
      Files.copy(
          certificates.dir().resolve(copy.getKey()),
          copy.getValue(),
          StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static Caller caller(
      Door door, String peer, List<String> authorization, String host, String origin)
      throws Exception {
    return door.caller(
        InetAddress.getByName(peer),
        authorization,
        Optional.ofNullable(host),
        Optional.ofNullable(origin));
  }

  private static Kind kind(
      Door door, String peer, List<String> authorization, String host, String origin)
      throws Exception {
    try {
      caller(door, peer, authorization, host, origin);
      throw new AssertionError("it is known");
    } catch (UnknownCallerException e) {
      assertThat(e).hasMessageNotContaining(TOKEN.token());
      return e.kind();
    }
  }
}
