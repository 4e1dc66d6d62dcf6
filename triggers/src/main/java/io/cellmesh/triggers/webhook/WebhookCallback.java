package io.cellmesh.triggers.webhook;

import io.cellmesh.cell.Printable;
import io.cellmesh.triggers.CellCallback;
import io.cellmesh.triggers.ParkException;
import io.cellmesh.triggers.RetryLaterException;
import io.cellmesh.triggers.TriggeredCell;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * Posts each cell as a CloudEvent and goes by the status of the answer ({@link Verdict}). Safe for
 * several threads, each of which waits for the answer to its own cell; they share connections.
 */
public final class WebhookCallback implements CellCallback {
  /** Most characters of an answer that become part of a reason. */
  private static final int SHOWN = 256;

  private static final int UNAUTHORIZED = 401;

  private final WebhookSettings settings;
  private final CellEvents events;
  private final WebhookClient client;
  private final Clock clock;

  /**
   * Posts the cells of an instance.
   *
   * @param datacenter whose log the cells are read from
   * @throws IllegalArgumentException naming the setting, if a store or the token can't be read
   */
  public WebhookCallback(WebhookSettings settings, String instance, String datacenter) {
    this(settings, instance, datacenter, Clock.systemUTC());
  }

  WebhookCallback(WebhookSettings settings, String instance, String datacenter, Clock clock) {
    this.settings = settings;
    this.events = new CellEvents(instance, datacenter, settings.content());
    this.client = new WebhookClient(settings);
    this.clock = clock;
    try {
      token();
    } catch (IOException e) {
      throw new IllegalArgumentException(WebhookConfig.TOKEN_FILE + ": " + e.getMessage(), e);
    }
  }

  /**
   * Posts a cell and waits for the answer.
   *
   * @throws RetryLaterException if the receiver asks for another attempt and says when
   * @throws ParkException if the receiver refuses the cell
   * @throws IOException if it does not answer in time or asks for another attempt, or the token
   *     can't be read at present; naming the target and the reason
   * @throws InterruptedException when interrupted; the receiver may have got the cell
   */
  @Override
  public void call(TriggeredCell cell)
      throws RetryLaterException, ParkException, IOException, InterruptedException {
    var token = token();
    var answer = client.send(request(cell, token));
    switch (verdict(answer.statusCode(), token)) {
      case DONE -> {}
      case PARK -> throw new ParkException(reason(answer, token));
      case RETRY -> {
        var reason = reason(answer, token);
        var after = retryAfter(answer);
        if (after.isPresent()) {
          throw new RetryLaterException(reason, after.get());
        }
        throw new IOException(reason);
      }
    }
  }

  private HttpRequest request(TriggeredCell cell, Optional<BearerToken> token) {
    var event = events.of(cell);
    var request =
        HttpRequest.newBuilder(settings.url())
            .POST(BodyPublishers.ofByteArray(event.data()))
            .setHeader("user-agent", "cellmesh");
    settings.headers().forEach(request::setHeader);
    event.headers().forEach(request::setHeader);
    token.ifPresent(t -> request.setHeader("authorization", t.authorization()));
    return request.build();
  }

  /** A refused token says nothing of the cell if there is another one by now. */
  private Verdict verdict(int status, Optional<BearerToken> used) throws IOException {
    return status == UNAUTHORIZED && !used.equals(token()) ? Verdict.RETRY : Verdict.of(status);
  }

  private Optional<Duration> retryAfter(HttpResponse<byte[]> answer) {
    return answer
        .headers()
        .firstValue("retry-after")
        .flatMap(text -> RetryAfter.parse(text, clock.instant()));
  }

  /** Target, status and the beginning of the body, from which a repeated token is cut. */
  private String reason(HttpResponse<byte[]> answer, Optional<BearerToken> token) {
    var body = new String(answer.body(), StandardCharsets.UTF_8).strip();
    var text = token.map(t -> t.cutFrom(body)).orElse(body);
    boolean whole = text.codePointCount(0, text.length()) <= SHOWN;
    var shown = whole ? text : text.substring(0, text.offsetByCodePoints(0, SHOWN)) + "\u2026";
    var status = "POST %s answers %d".formatted(settings.target(), answer.statusCode());
    return shown.isEmpty() ? status : status + ": " + Printable.of(shown);
  }

  private Optional<BearerToken> token() throws IOException {
    return settings.tokenFile().isPresent()
        ? Optional.of(BearerToken.read(settings.tokenFile().get()))
        : Optional.empty();
  }
}
