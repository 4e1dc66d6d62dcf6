package io.cellmesh.triggers.webhook;

import io.cellmesh.cell.Printable;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.security.GeneralSecurityException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Sends requests over connections that it keeps. Safe for several threads. */
final class WebhookClient {
  private final WebhookSettings settings;
  private final CurrentClient client;

  /**
   * @throws IllegalArgumentException if a store can't be read, naming the file
   */
  WebhookClient(WebhookSettings settings) {
    this.settings = settings;
    var builder =
        HttpClient.newBuilder()
            .version(settings.version())
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(settings.connectTimeout());
    if (settings.keyStore().isPresent() || settings.trustStore().isPresent()) {
      builder.sslContext(tls(settings));
    }
    this.client = new CurrentClient(builder::build);
  }

  /**
   * Sends a request and waits until its answer has come to its end; until then nobody can tell
   * whether the receiver did what it was asked for.
   *
   * @throws IOException if that takes too long or fails, naming the target and the reason
   * @throws InterruptedException when interrupted; the request is given up
   */
  HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
    var http = client.get();
    var answer = http.sendAsync(request, head -> new FirstBytes());
    try {
      return answer.get(settings.timeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      client.leave(http);
      throw failed("no answer within " + settings.timeout().toMillis() + " ms", e);
    } catch (ExecutionException e) {
      throw failed(reason(e.getCause()), e.getCause());
    } finally {
      // Closes the connection of a request that is still under way.
      answer.cancel(true);
    }
  }

  private IOException failed(String reason, Throwable cause) {
    return new IOException("POST %s: %s".formatted(settings.target(), Printable.of(reason)), cause);
  }

  private String reason(Throwable failure) {
    if (failure instanceof HttpConnectTimeoutException) {
      return "no connection within " + settings.connectTimeout().toMillis() + " ms";
    }
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return "unknown host";
      }
      if (cause instanceof EOFException) {
        return "the connection ended before the answer did";
      }
    }
    if (failure.getMessage() == null) {
      return failure instanceof ConnectException
          ? "connection refused"
          : failure.getClass().getSimpleName();
    }
    return failure.getMessage();
  }

  private static SSLContext tls(WebhookSettings settings) {
    try {
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      if (settings.keyStore().isPresent()) {
        var store = settings.keyStore().get();
        keys.init(store.keys(), store.secret());
      } else {
        keys.init(null, null);
      }
      var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trusted.init(settings.trustStore().map(StoreFile::trusted).orElse(null));
      var context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("the stores for TLS can't be used: " + e.getMessage(), e);
    }
  }
}
