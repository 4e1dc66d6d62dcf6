package io.cellmesh.herb;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the herb-replicator of a peer, on a connection of its own, so that a peer that stalls keeps
 * nobody else's cells back.
 */
final class PeerHttp {
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(PeerHttp.class);

  /** What a peer may send ahead: 50 MB/s where a round trip takes 80 ms. */
  private static final int WINDOW_BYTES = 4 << 20;

  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
  private static final int CONFLICT = 409;
  private static final int SHOWN = 300;

  static {
    // Each client takes them when it is made; the JDK's own would fill a small heap.
    setUnlessSet("jdk.httpclient.windowsize", WINDOW_BYTES);
    setUnlessSet("jdk.httpclient.connectionWindowSize", 2 * WINDOW_BYTES);
  }

  private final String self;
  private final String instance;
  private final String peer;
  private final URI url;
  private final Duration patience;
  private final HttpClient client;

  /**
   * @param self this data centre's name, which counts where no certificate says it
   * @param url {@code https://host:port}, or {@code http://} to this machine
   * @param tls this data centre's certificate and the CAs that it believes
   * @param patience after which a peer is away that does not take the connection, or has not said
   *     all of an answer that has an end
   */
  PeerHttp(
      String self,
      String instance,
      String peer,
      URI url,
      Optional<SSLContext> tls,
      Duration patience) {
    this.self = self;
    this.instance = instance;
    this.peer = peer;
    this.url = url;
    this.patience = patience;
    var builder =
        HttpClient.newBuilder()
            .version(Version.HTTP_2)
            .followRedirects(Redirect.NEVER)
            .connectTimeout(patience);
    tls.ifPresent(builder::sslContext);
    this.client = builder.build();
  }

  private static void setUnlessSet(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(value));
    }
  }

  /** The address, for messages. */
  String at() {
    return url.toString();
  }

  /**
   * Asks who the peer is and what its log has.
   *
   * @throws PeerAwayException if there is no such answer
   * @throws HaltException if the peer refuses this data centre
   */
  LogAnswer describe() throws InterruptedException {
    var response = send(request(OriginServer.LOG).GET().build());
    var text = text(response);
    return LogAnswer.parse(text)
        .orElseThrow(
            () ->
                new PeerAwayException(
                    "%s at %s says nothing of a log: %s".formatted(peer, url, shortened(text))));
  }

  /**
   * Asks for the peer's own cells.
   *
   * @return batches without end; whoever reads them closes it
   * @throws PeerAwayException if there is no such answer
   * @throws HaltException if the peer refuses this data centre
   * @throws IllegalStateException if the peer's log is another one meanwhile
   */
  InputStream cells(LogQuestion question) throws InterruptedException {
    return send(request(OriginServer.CELLS)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(question.toJson()))
            .build())
        .body();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(url.resolve(path.replace("{instance}", instance)))
        .timeout(patience)
        .header(Callers.HEADER, self);
  }

  private HttpResponse<InputStream> send(HttpRequest request) throws InterruptedException {
    HttpResponse<InputStream> response;
    try {
      response = client.send(request, BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw away(e);
    }
    if (response.statusCode() == OK) {
      return response;
    }
    var why = shortened(text(response));
    switch (response.statusCode()) {
      case FORBIDDEN ->
          throw new HaltException(
              "%s at %s does not let %s read: %s".formatted(peer, url, self, why));
      case CONFLICT -> throw new IllegalStateException(why);
      default ->
          throw new PeerAwayException(
              "%s at %s answers %d: %s".formatted(peer, url, response.statusCode(), why));
    }
  }

  private String text(HttpResponse<InputStream> response) {
    try (var body = response.body()) {
      // The client's own bound ends with the headers.
      CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS)
          .execute(() -> close(body));
      return new String(body.readNBytes(1 << 20), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw away(e);
    }
  }

  /** Whoever reads it is told that it is closed. */
  private static void close(InputStream body) {
    try {
      body.close();
    } catch (IOException e) {
      LOG.debug("An answer that came too late can't be closed", e);
    }
  }

  PeerAwayException away(IOException e) {
    return new PeerAwayException("%s at %s does not answer: %s".formatted(peer, url, e), e);
  }

  private static String shortened(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }
}
