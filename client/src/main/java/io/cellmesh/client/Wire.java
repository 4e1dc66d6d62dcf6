package io.cellmesh.client;

import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Sends single requests. */
final class Wire {
  private static final Duration PROBE_PATIENCE = Duration.ofSeconds(1);
  private static final Duration MOST_RESERVE = Duration.ofMillis(100);
  private static final int RESERVED_SHARE = 10;
  private static final int SERVER_ERROR = 500;

  /** As RFC 6750 has it. */
  private static final String TOKEN = "[A-Za-z0-9._~+/-]+=*";

  private static final Set<Class<?>> WRAPPERS =
      Set.of(CompletionException.class, UncheckedIOException.class);

  private final ClientSettings settings;
  private final HttpClient http;

  Wire(ClientSettings settings, Executor executor) {
    this.settings = settings;
    var builder =
        HttpClient.newBuilder()
            // One answer a connection at a time: what is given up is closed, and holds up no other.
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(settings.patience())
            .executor(executor);
    settings.tls().ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  /**
   * Sends a request once. To cancel what is returned, with {@code true}, closes the connection.
   *
   * @param left until nobody needs the answer; the worker is told a little less, so that its answer
   *     is here by then
   */
  CompletableFuture<HttpResponse<byte[]>> send(Host host, WorkerRequest request, Duration left) {
    long millis = Math.max(1, left.minus(reserve(left)).toMillis());
    var query = request.query().with(WorkerApi.DEADLINE, String.valueOf(millis));
    var builder = request(host, request.path() + "?" + query);
    builder.setHeader(WorkerApi.PRIORITY_HEADER, request.priority().text());
    if (request.json().isPresent()) {
      builder.setHeader("Content-Type", "application/json");
      builder.method(request.method(), BodyPublishers.ofByteArray(request.json().get()));
    } else {
      builder.method(request.method(), new OneRequest());
    }
    return http.sendAsync(builder.build(), BodyHandlers.ofByteArray());
  }

  /** Asks a host whether it can serve; one that asks who we are is well, too. */
  CompletableFuture<Boolean> probe(Host host) {
    try {
      var answer =
          http.sendAsync(request(host, WorkerApi.READY).GET().build(), BodyHandlers.discarding());
      // A time-out of the request's own would end with the answer's head, and not with its content.
      var well =
          answer
              .thenApply(told -> told.statusCode() < SERVER_ERROR)
              .orTimeout(PROBE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      well.whenComplete((is, failure) -> answer.cancel(true));
      return well;
    } catch (RuntimeException e) {
      // The token's supplier failed: that is told to the call, not here.
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Why a request has no answer, in words. */
  String reason(Throwable thrown) {
    var failure = unwrapped(thrown);
    if (failure instanceof HttpConnectTimeoutException) {
      return "no connection within " + settings.patience().toMillis() + " ms";
    }
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return "unknown host";
      }
    }
    if (failure.getMessage() == null) {
      return failure instanceof ConnectException
          ? "connection refused"
          : failure.getClass().getSimpleName();
    }
    return failure.getMessage();
  }

  /** Whether there was no connection to send it on. */
  boolean isUnsent(Throwable thrown) {
    var failure = unwrapped(thrown);
    return failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException;
  }

  private static Throwable unwrapped(Throwable thrown) {
    var failure = thrown;
    while (WRAPPERS.contains(failure.getClass()) && failure.getCause() != null) {
      failure = failure.getCause();
    }
    return failure;
  }

  private HttpRequest.Builder request(Host host, String path) {
    var builder =
        HttpRequest.newBuilder(URI.create(host.url() + path))
            .setHeader("User-Agent", "cellmesh-client")
            .setHeader("Accept", "application/json, application/problem+json");
    settings
        .token()
        .ifPresent(token -> builder.setHeader("Authorization", "Bearer " + checked(token.get())));
    return builder;
  }

  /** Or HttpClient would say that no header can have it, and show it. */
  private static String checked(String token) {
    if (token == null || !token.matches(TOKEN)) {
      throw new IllegalStateException(
          "the token is empty, or has a blank or another character that no token has");
    }
    return token;
  }

  private static Duration reserve(Duration left) {
    var share = left.dividedBy(RESERVED_SHARE);
    return share.compareTo(MOST_RESERVE) < 0 ? share : MOST_RESERVE;
  }
}
