package io.cellmesh.triggers.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.cellmesh.triggers.ParkException;
import io.cellmesh.triggers.RetryLaterException;
import io.cellmesh.triggers.webhook.Receiver.Answer;
import io.cellmesh.triggers.webhook.Receiver.Request;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookCallbackTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path dir;
  private Receiver receiver;

  @BeforeEach
  void start() throws IOException {
    receiver = Receiver.http();
  }

  @AfterEach
  void stop() {
    receiver.close();
  }

  @Test
  void a_cell_is_posted_as_an_event() throws Exception {
    callback("header.X-Tenant", "acme").call(Cells.trip());
    var request = receiver.last();
    assertThat(request.line()).isEqualTo("POST /cells?key=sesame");
    assertThat(request.body()).isEqualTo(Cells.BODY);
    new CellEvents("trips", "dc1", Content.BODY)
        .of(Cells.trip())
        .headers()
        .forEach((name, value) -> assertThat(request.headers().get(name)).containsExactly(value));
    assertThat(request.headers().getFirst("X-Tenant")).isEqualTo("acme");
    assertThat(request.headers()).doesNotContainKeys("Authorization", "Upgrade");
  }

  @Test
  void an_upgrade_to_http_2_is_asked_for_where_it_was_said() throws Exception {
    callback("http.version", "2").call(Cells.trip());
    assertThat(receiver.last().headers().getFirst("Upgrade")).isEqualTo("h2c");
  }

  @Test
  void cells_share_a_connection_whatever_is_answered() throws Exception {
    var callback = callback();
    callback.call(Cells.trip());
    receiver.answers(Answer.of(503).body("x".repeat(40_000)));
    assertThatThrownBy(() -> callback.call(Cells.trip())).isInstanceOf(IOException.class);
    receiver.answers(Answer.of(200).body("{}"));
    callback.call(Cells.trip());
    assertThat(receiver.requests()).extracting(Request::from).hasSize(3).containsOnly(from());
  }

  @Test
  void threads_post_side_by_side() throws Exception {
    var callback = callback();
    var all = new CountDownLatch(1);
    receiver.answers(Answer.of(204).after(all));
    var threads = Executors.newFixedThreadPool(8);
    try {
      var calls =
          IntStream.range(0, 8)
              .mapToObj(
                  i ->
                      threads.submit(
                          () -> {
                            callback.call(Cells.trip());
                            return null;
                          }))
              .toList();
      await().atMost(PATIENCE).until(() -> receiver.requests().size() == 8);
      all.countDown();
      for (var call : calls) {
        call.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(receiver.requests()).hasSize(8);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 425, 429, 500, 503})
  void what_passes_is_tried_again_when_the_trigger_will(int status) {
    receiver.answers(Answer.of(status).body("busy"));
    assertThatThrownBy(() -> callback().call(Cells.trip()))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("POST %s answers %d: busy".formatted(receiver.url("/cells"), status));
  }

  @ParameterizedTest
  @ValueSource(strings = {"90", "Sat, 31 Jan 2026 12:01:30 GMT"})
  void a_receiver_says_when_to_try_again(String after) {
    for (int status : new int[] {429, 503}) {
      receiver.answers(Answer.of(status).header("Retry-After", after));
      var later =
          catchThrowableOfType(RetryLaterException.class, () -> callback().call(Cells.trip()));
      assertThat(later.after()).isEqualTo(Duration.ofSeconds(90));
      assertThat(later).hasMessage("POST %s answers %d".formatted(receiver.url("/cells"), status));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 409, 422})
  void a_cell_that_is_refused_is_parked(int status) {
    receiver.answers(Answer.of(status).body("{\"error\":\"no such\ttrip\"}"));
    assertThatThrownBy(() -> callback().call(Cells.trip()))
        .isInstanceOf(ParkException.class)
        .hasMessage(
            "POST %s answers %d: {\"error\":\"no such\\u0009trip\"}"
                .formatted(receiver.url("/cells"), status));
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void a_redirection_is_parked_and_not_followed(int status) {
    receiver.answers(Answer.of(status).header("Location", "/elsewhere"));
    assertThatThrownBy(() -> callback().call(Cells.trip())).isInstanceOf(ParkException.class);
    assertThat(receiver.requests()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 60_000, 2_000_000})
  void of_a_long_answer_the_beginning_is_told(int length) {
    receiver.answers(Answer.of(404).body("y".repeat(length)));
    assertThatThrownBy(() -> callback().call(Cells.trip()))
        .isInstanceOf(ParkException.class)
        .hasMessageEndingWith("404: " + "y".repeat(256) + "…");
  }

  @Test
  void an_answer_that_takes_too_long_is_tried_again() {
    receiver.answers(Answer.of(204).after(new CountDownLatch(1)));
    long begin = System.nanoTime();
    assertThatThrownBy(() -> callback("timeout.ms", "200").call(Cells.trip()))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("POST %s: no answer within 200 ms".formatted(receiver.url("/cells")));
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void a_new_token_counts_at_once() throws Exception {
    var file = token("first\n");
    var callback = callback("token.file", file.toString());
    callback.call(Cells.trip());
    assertThat(authorization()).isEqualTo("Bearer first");
    token("other\n");
    callback.call(Cells.trip());
    assertThat(authorization()).isEqualTo("Bearer other");
  }

  @Test
  void a_token_that_is_refused_after_it_was_replaced_parks_nothing() throws Exception {
    var file = token("first");
    var callback = callback("token.file", file.toString());
    var replaced = new CountDownLatch(1);
    receiver.answers(Answer.of(401).after(replaced));
    var late =
        new FutureTask<>(
            () -> {
              callback.call(Cells.trip());
              return null;
            });
    new Thread(late).start();
    await().atMost(PATIENCE).until(() -> !receiver.requests().isEmpty());
    token("other");
    replaced.countDown();
    assertThatThrownBy(late::get).cause().isExactlyInstanceOf(IOException.class);
    assertThatThrownBy(() -> callback.call(Cells.trip())).isInstanceOf(ParkException.class);
  }

  @Test
  void a_token_that_can_not_be_read_is_waited_for_and_told_at_start() throws Exception {
    var file = token("first");
    var callback = callback("token.file", file.toString());
    token("two words");
    assertThatThrownBy(() -> callback.call(Cells.trip()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .message()
        .doesNotContain("words,")
        .doesNotContain("two words");
    Files.delete(file);
    assertThatThrownBy(() -> callback.call(Cells.trip())).isInstanceOf(IOException.class);
    assertThat(receiver.requests()).isEmpty();
    assertThatThrownBy(() -> callback("token.file", file.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("token.file: ");
  }

  @Test
  void a_receiver_that_repeats_the_token_does_not_get_it_into_a_reason() throws Exception {
    var secret = "sesame-" + "0123456789".repeat(120);
    var callback = callback("token.file", token(secret).toString());
    receiver.answers(Answer.of(403).body("bad token: " + secret));
    assertThatThrownBy(() -> callback.call(Cells.trip()))
        .isInstanceOf(ParkException.class)
        .hasMessageEndingWith("answers 403: bad token: (the token)");
  }

  private Path token(String text) throws IOException {
    return Files.writeString(dir.resolve("token"), text);
  }

  private String authorization() {
    return receiver.last().headers().getFirst("Authorization");
  }

  private InetSocketAddress from() {
    return receiver.requests().get(0).from();
  }

  private WebhookCallback callback(String... more) {
    var settings = new HashMap<>(Map.of("url", receiver.url("/cells?key=sesame").toString()));
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return new WebhookCallback(
        WebhookConfig.parse(settings), "trips", "dc1", Clock.fixed(NOW, ZoneOffset.UTC));
  }
}
