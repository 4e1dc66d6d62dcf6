package io.cellmesh.deployment.peer;

import io.cellmesh.cell.Topics;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.MeshTls;
import io.cellmesh.deployment.PeerAccess;
import io.cellmesh.deployment.Seed;
import io.cellmesh.deployment.wire.Batch;
import io.cellmesh.deployment.wire.BatchReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/**
 * Asks the herb-replicator of a peer, on a connection of its own, so that a peer that stalls keeps
 * nobody else's cells back.
 */
public final class PeerHttp {
  /** Who a data centre is, and what its log has. */
  public static final String LOG = "/v1/{instance}/mesh/log";

  /** Its own cells, without end, from the place on that the question names. */
  public static final String CELLS = "/v1/{instance}/mesh/cells";

  /** What it has folded of its own cells and of those of the data centre that asks. */
  public static final String CHECKPOINTS = "/v1/{instance}/mesh/checkpoints";

  /** The seed that it has for the data centre that asks. */
  public static final String SEED = "/v1/{instance}/mesh/seed";

  /** What is asked for on all these paths comes as batches. */
  public static final String CONTENT_TYPE = "application/vnd.cellmesh.cells";

  /** In the clear it says which data centre asks; over TLS the certificate does. */
  public static final String CALLER_HEADER = "Cellmesh-Datacenter";

  public static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How many times as long a stream may be silent, of which something comes each second. */
  private static final int SILENT = 3;

  /** How many times as long an answer may take that ends. */
  private static final int ANSWERED = 6;

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
  private final Topics topics;
  private final Optional<SSLContext> tls;
  private volatile HttpClient client;

  /**
   * @param self this data centre's name, which counts where no certificate says it
   * @param url {@code https://host:port}, or {@code http://} to this machine
   * @param tls this data centre's certificate and the CAs that it believes
   * @param patience after which a peer is away that does not take the connection, or has not said
   *     all of a short answer; of a stream it may be silent three times as long, and six times for
   *     an answer that ends
   */
  public PeerHttp(
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
    this.topics = new Topics(instance);
    this.tls = tls;
    this.client = client();
  }

  private HttpClient client() {
    var builder =
        HttpClient.newBuilder()
            .version(Version.HTTP_2)
            .followRedirects(Redirect.NEVER)
            .connectTimeout(patience);
    tls.ifPresent(builder::sslContext);
    return builder.build();
  }

  /**
   * Leaves a connection on which nothing comes: the client would go on asking over it, for as long
   * as nobody closes it.
   *
   * @param silent the client whose it is
   */
  private synchronized void leave(HttpClient silent) {
    if (client == silent) {
      client = client();
    }
  }

  private static void setUnlessSet(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(value));
    }
  }

  /** The way to a peer as the deployment says it; empty if it is read on its brokers. */
  public static Optional<PeerHttp> of(DataCenter self, String peer) {
    return self.mesh().peer(peer) instanceof PeerAccess.Http http
        ? Optional.of(
            new PeerHttp(
                self.name(),
                self.topology().instance(),
                peer,
                http.url(),
                self.meshTls().map(MeshTls::context),
                PATIENCE))
        : Optional.empty();
  }

  /** The data centre that is asked. */
  public String name() {
    return peer;
  }

  /** The address, for messages. */
  public String at() {
    return url.toString();
  }

  /**
   * Asks who the peer is and what its log has.
   *
   * @throws PeerAwayException if there is no such answer
   * @throws PeerRefusedException if the peer refuses this data centre
   */
  public LogAnswer describe() throws InterruptedException {
    return described(LOG);
  }

  /**
   * Asks what the peer's {@code trips.checkpoint} has.
   *
   * @throws PeerAwayException as {@link #describe}
   * @throws PeerRefusedException likewise
   */
  public LogAnswer describeCheckpoints() throws InterruptedException {
    return described(CHECKPOINTS);
  }

  /**
   * Asks for the seed that the peer has for this data centre.
   *
   * @return empty if there is none
   * @throws PeerAwayException as {@link #describe}
   * @throws PeerRefusedException likewise
   */
  public Optional<Seed> seed() throws InterruptedException {
    var text = text(send(request(SEED).timeout(answerTimeout()).GET().build()));
    return SeedAnswer.parse(text).orElseThrow(() -> nothing("a seed", text)).seed();
  }

  /**
   * Asks for checkpoints from a place on.
   *
   * @return what there is, or the beginning of it
   * @throws PeerAwayException if there is no such answer within a minute
   * @throws PeerRefusedException if the peer refuses this data centre
   * @throws IllegalStateException if the topic is another one meanwhile
   */
  public List<Batch> checkpoints(LogQuestion question) throws InterruptedException {
    return answer(CHECKPOINTS, topics.checkpoint(), question);
  }

  /**
   * As {@link #checkpoints}, of the seed for this data centre; not all partitions need be named.
   */
  public List<Batch> seed(LogQuestion question) throws InterruptedException {
    return answer(SEED, topics.seed(self), question);
  }

  private LogAnswer described(String path) throws InterruptedException {
    var text = text(send(request(path).GET().build()));
    return LogAnswer.parse(text).orElseThrow(() -> nothing("a log", text));
  }

  private PeerAwayException nothing(String what, String text) {
    return new PeerAwayException(
        "%s at %s says nothing of %s: %s".formatted(peer, url, what, shortened(text)));
  }

  /** What ends is read wholly before anything of it is taken, so that a peer may stall. */
  private List<Batch> answer(String path, String topic, LogQuestion question)
      throws InterruptedException {
    var request = asking(path, question).timeout(answerTimeout()).build();
    var by = client;
    var asked = by.sendAsync(request, BodyHandlers.ofByteArray());
    try {
      var response = asked.get(answerTimeout().toMillis(), TimeUnit.MILLISECONDS);
      if (response.statusCode() != OK) {
        throw refusal(response.statusCode(), new String(response.body(), StandardCharsets.UTF_8));
      }
      return batches(response.body(), topic);
    } catch (ExecutionException e) {
      throw away(by, e.getCause() instanceof IOException cut ? cut : new IOException(e.getCause()));
    } catch (TimeoutException e) {
      leave(by);
      throw away(new IOException("no answer within %d s".formatted(answerTimeout().toSeconds())));
    } finally {
      asked.cancel(true);
    }
  }

  private List<Batch> batches(byte[] body, String topic) {
    var batches = new ArrayList<Batch>();
    try (var reader = new BatchReader(new ByteArrayInputStream(body), topic)) {
      for (var next = reader.next(); next.isPresent(); next = reader.next()) {
        batches.add(next.get());
      }
      return batches;
    } catch (IOException e) {
      throw away(e);
    }
  }

  /**
   * Asks for the peer's own cells.
   *
   * @return batches without end; whoever reads them closes it
   * @throws PeerAwayException if there is no such answer
   * @throws PeerRefusedException if the peer refuses this data centre
   * @throws IllegalStateException if the peer's log is another one meanwhile
   */
  public InputStream cells(LogQuestion question) throws InterruptedException {
    return send(asking(CELLS, question).build()).body();
  }

  private HttpRequest.Builder asking(String path, LogQuestion question) {
    return request(path)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(question.toJson()));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(url.resolve(path.replace("{instance}", instance)))
        .timeout(patience)
        .header(CALLER_HEADER, self);
  }

  private HttpResponse<InputStream> send(HttpRequest request) throws InterruptedException {
    HttpResponse<InputStream> response;
    var by = client;
    try {
      response = by.send(request, BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw away(by, e);
    }
    if (response.statusCode() == OK) {
      return response;
    }
    throw refusal(response.statusCode(), text(response));
  }

  private RuntimeException refusal(int status, String text) {
    var why = shortened(text);
    return switch (status) {
      case FORBIDDEN ->
          new PeerRefusedException(
              "%s at %s does not let %s read: %s".formatted(peer, url, self, why));
      case CONFLICT -> new IllegalStateException(why);
      default -> new PeerAwayException("%s at %s answers %d: %s".formatted(peer, url, status, why));
    };
  }

  private String text(HttpResponse<InputStream> response) {
    var by = client;
    try (var body = response.body()) {
      // The client's own bound ends with the headers.
      closeAfter(body, patience);
      return new String(body.readNBytes(1 << 20), StandardCharsets.UTF_8);
    } catch (IOException e) {
      leave(by);
      throw away(e);
    }
  }

  /**
   * Closes an answer after a time, and whoever waits for more of it is told.
   *
   * @return to be cancelled by whoever has got in time what it waited for
   */
  public static Future<?> closeAfter(InputStream body, Duration time) {
    return CompletableFuture.runAsync(
        () -> close(body),
        CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS));
  }

  private static void close(InputStream body) {
    try {
      body.close();
    } catch (IOException e) {
      // Then it was at its end already.
    }
  }

  /** How long a stream may be silent before the peer is away. */
  public Duration silence() {
    return patience.multipliedBy(SILENT);
  }

  private Duration answerTimeout() {
    return patience.multipliedBy(ANSWERED);
  }

  /** Says that a stream was silent for too long, and asks over another connection from now on. */
  public PeerAwayException silent() {
    leave(client);
    return away(new IOException("nothing came for %d s".formatted(silence().toSeconds())));
  }

  private PeerAwayException away(HttpClient by, IOException e) {
    if (e instanceof HttpTimeoutException && !(e instanceof HttpConnectTimeoutException)) {
      leave(by);
    }
    return away(e);
  }

  public PeerAwayException away(IOException e) {
    return new PeerAwayException("%s at %s does not answer: %s".formatted(peer, url, e), e);
  }

  private static String shortened(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }
}
