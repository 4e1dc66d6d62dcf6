package io.cellmesh.triggers.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookConfigTest {
  private static final String HTTPS = "https://hooks.example/cells";

  @TempDir private Path dir;

  @Test
  void a_url_is_enough() {
    var settings = parse(HTTPS);
    assertThat(settings.url()).isEqualTo(URI.create(HTTPS));
    assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(settings.connectTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.content()).isEqualTo(Content.BODY);
    assertThat(settings.tokenFile()).isEmpty();
    assertThat(settings.headers()).isEmpty();
  }

  @Test
  void settings_are_taken_by_their_names() throws IOException {
    var password = Files.writeString(dir.resolve("password"), "secret\n");
    var settings =
        parse(
            HTTPS,
            "timeout.ms",
            "1500",
            "connect.timeout.ms",
            "200",
            "token.file",
            "/run/secrets/token",
            "content",
            "envelope",
            "keystore",
            "keys.p12",
            "keystore.password",
            "open",
            "truststore",
            "trust.p12",
            "truststore.password.file",
            password.toString(),
            "header.X-Tenant",
            "acme corp");
    assertThat(settings.timeout()).isEqualTo(Duration.ofMillis(1500));
    assertThat(settings.connectTimeout()).isEqualTo(Duration.ofMillis(200));
    assertThat(settings.tokenFile()).contains(Path.of("/run/secrets/token"));
    assertThat(settings.content()).isEqualTo(Content.ENVELOPE);
    assertThat(settings.keyStore().orElseThrow().password().value()).isEqualTo("open");
    assertThat(settings.trustStore().orElseThrow().password().value()).isEqualTo("secret");
    assertThat(settings.headers()).containsEntry("x-tenant", "acme corp");
  }

  @ParameterizedTest
  @CsvSource({
    "https://h/, auto, HTTP_2",
    "https://h/, 1.1, HTTP_1_1",
    "http://h/, auto, HTTP_1_1",
    "http://h/, 2, HTTP_2"
  })
  void http_2_is_offered_where_tls_settles_it_or_it_was_asked_for(
      String url, String asked, Version version) {
    assertThat(parse(url, "http.version", asked).version()).isEqualTo(version);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ftp://h/                  | must begin with http",
        "/cells                    | must begin with http",
        "https://u:sesame@h/       | must not hold a user or a password",
        "https://u:sesame@h_h/     | must not hold a user or a password",
        "https:///cells            | has no host",
        "https://my_host/cells     | has no host",
        "https://h:99999/          | its port",
        "https://h/#sesame         | must not have a fragment",
        "https://h/a b?k=sesame    | not a URL"
      })
  void a_url_that_can_not_be_posted_to_is_refused_by_its_rule_without_its_secrets(
      String url, String rule) {
    assertThatThrownBy(() -> parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("url: ")
        .hasMessageContaining(rule)
        .message()
        .doesNotContain("sesame");
  }

  @Test
  void a_missing_url_and_an_unknown_setting_are_told() {
    assertThatThrownBy(() -> WebhookConfig.parse(Map.of())).hasMessageContaining("\"url\"");
    assertThatThrownBy(() -> parse(HTTPS, "time.out", "1")).hasMessage("time.out: no such setting");
  }

  @ParameterizedTest
  @CsvSource({
    "timeout.ms, 0",
    "timeout.ms, 600001",
    "timeout.ms, soon",
    "connect.timeout.ms, -1",
    "content, all",
    "http.version, 3"
  })
  void a_value_out_of_bounds_is_refused_with_its_setting(String setting, String value) {
    assertThatThrownBy(() -> parse(HTTPS, setting, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(setting)
        .hasMessageContaining(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://hooks.example/",
        "http://127.evil.example/",
        "http://localhost.example/",
        "http://10.0.0.1/",
        "http://[2001:db8::1]/"
      })
  void a_token_never_goes_in_clear_to_a_stranger(String url) {
    assertThatThrownBy(() -> parse(url, "token.file", "/run/secrets/token"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("url: over http the token");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://localhost:80/", "http://127.0.0.1/", "http://127.9.0.1/", "http://[::1]/"})
  void a_token_may_go_in_clear_to_this_machine(String url) {
    assertThatCode(() -> parse(url, "token.file", "/run/secrets/token")).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Authorization   | a      | token.file",
        "Ce-Id           | a      | has its own",
        "content-type    | a      | has its own",
        "Host            | a      | has its own",
        "X Tenant        | a      | a header's name",
        "X-Tenant        | ''     | visible ASCII",
        "X-Tenant        | sésame | visible ASCII"
      })
  void a_header_that_can_not_be_sent_is_refused_without_its_value(
      String name, String value, String rule) {
    assertThatThrownBy(() -> parse(HTTPS, "header." + name, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("header.")
        .hasMessageContaining(rule)
        .message()
        .doesNotContain("sésame");
  }

  @Test
  void a_header_can_not_smuggle_in_another_one() {
    assertThatThrownBy(() -> parse(HTTPS, "header.X-A", "a\r\nAuthorization: b"))
        .hasMessageContaining("visible ASCII");
    assertThatThrownBy(() -> parse(HTTPS, "header.X-A", "a", "header.x-a", "b"))
        .hasMessageContaining("given twice");
  }

  @Test
  void stores_want_https_and_one_password() {
    assertThatThrownBy(
            () -> parse("http://h/", "truststore", "trust.p12", "truststore.password", "p"))
        .hasMessage("url: over http a truststore protects nothing; use https");
    assertThatThrownBy(() -> parse(HTTPS, "keystore", "keys.p12"))
        .hasMessageStartingWith("keystore: give its password by one of");
    assertThatThrownBy(() -> parse(HTTPS, "keystore.password", "sesame"))
        .hasMessage("keystore: missing, but its password is given");
    assertThatThrownBy(
            () -> parse(HTTPS, "keystore", "keys.p12", "keystore.password.file", dir + "/missing"))
        .hasMessageStartingWith("keystore.password.file: ");
  }

  @Test
  void settings_show_no_secret() {
    var settings =
        parse(
            HTTPS + "?key=sesame",
            "keystore",
            "keys.p12",
            "keystore.password",
            "sesame",
            "header.X-Key",
            "sesame");
    assertThat(settings).hasToString(HTTPS);
    assertThat(settings.keyStore().toString()).doesNotContain("sesame");
  }

  private static WebhookSettings parse(String url, String... more) {
    var settings = new HashMap<>(Map.of("url", url));
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return WebhookConfig.parse(settings);
  }
}
