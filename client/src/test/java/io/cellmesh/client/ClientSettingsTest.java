package io.cellmesh.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientSettingsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "w1:8090|host = \"w1:8090\": not http://HOST:PORT or https://HOST:PORT",
        "ftp://w1|host = \"w1\": not http://HOST:PORT or https://HOST:PORT",
        "http:// w1|host = \"http:// w1\": no URL",
        "https://u:secret@w1|host = \"w1\": a user, a query or a fragment has no place in it",
        "https://w1?x|host = \"w1\": a user, a query or a fragment has no place in it",
      })
  void a_host_is_an_address_and_no_more(String host, String message) {
    assertThatThrownBy(() -> ClientSettings.of("trips", host))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void a_path_leads_to_a_worker_behind_another_server() {
    assertThat(ClientSettings.of("trips", "https://w1/cells//").hosts())
        .hasToString("[https://w1/cells]");
  }

  @Test
  void a_token_goes_over_https_or_stays_on_the_machine() {
    var settings = ClientSettings.of("trips", "https://w1", "http://w2");
    assertThatThrownBy(() -> settings.withToken(() -> "secret"))
        .hasMessage(
            "host = \"w2\": a token goes over https, or over http to this machine's loopback");
    assertThat(
            ClientSettings.of(
                    "trips", "http://localhost:8090", "http://[::1]:8090", "http://127.0.0.1")
                .withToken(() -> "secret")
                .toString())
        .doesNotContain("secret");
  }

  @Test
  void what_is_out_of_bounds_is_named() {
    var settings = ClientSettings.of("trips", "http://w1");
    assertThatThrownBy(() -> ClientSettings.of("Trips", "http://w1"))
        .hasMessage("instance: \"Trips\" is not 1 to 48 of a-z, 0-9 and _");
    assertThatThrownBy(() -> ClientSettings.of("trips")).hasMessage("hosts: none is given");
    assertThatThrownBy(() -> settings.withDeadline(Duration.ofSeconds(61)))
        .hasMessage("deadline: 61000 ms is not in 1..60000");
    assertThatThrownBy(() -> settings.withDeadline(Duration.ofNanos(1)))
        .hasMessage("deadline: 0 ms is not in 1..60000");
    assertThatThrownBy(() -> settings.withPatience(Duration.ZERO))
        .hasMessage("patience: 0 ms is no time");
    assertThatThrownBy(() -> new CellmeshClient(settings).session().within(Duration.ZERO))
        .hasMessage("deadline: 0 ms is not in 1..60000");
  }
}
