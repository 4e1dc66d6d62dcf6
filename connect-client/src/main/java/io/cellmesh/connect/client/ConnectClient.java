package io.cellmesh.connect.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** What a Connect worker's REST interface is needed for. Safe for several threads. */
public final class ConnectClient {
  private static final ObjectMapper JSON = JsonMapper.builder().build();
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(95);

  /** The worker refuses changes while its group rebalances, which passes within seconds. */
  private static final Duration REBALANCE_TIMEOUT = Duration.ofSeconds(60);

  private final URI worker;
  private final Optional<String> authorization;
  private final HttpClient http;

  /**
   * Of a worker that asks nobody who they are.
   *
   * @param worker {@code http://host:port}
   */
  public ConnectClient(URI worker) {
    this(worker, Optional.empty(), Optional.empty());
  }

  /**
   * @param worker {@code http://host:port} or {@code https://host:port}
   * @param login for basic authentication, sent with every request
   * @param trust whom to believe that it is the worker; empty for what the JVM trusts
   */
  public ConnectClient(
      URI worker, Optional<PasswordAuthentication> login, Optional<SSLContext> trust) {
    this.worker = worker;
    this.authorization = login.map(ConnectClient::basic);
    var builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5));
    trust.ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  /** Whether the worker has joined its group and takes requests. */
  public boolean isHealthy() {
    try {
      return send(request("/health").GET(), Duration.ofSeconds(5)).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** Creates the connector or changes its configuration. */
  public void put(String name, Map<String, String> config) {
    var json = json(config);
    retrying("PUT " + name, () -> request(path(name) + "/config").PUT(body(json)), 200, 201);
  }

  /**
   * Creates the connector.
   *
   * @param initialState {@code RUNNING}, {@code PAUSED} or {@code STOPPED}
   */
  public void create(String name, Map<String, String> config, String initialState) {
    var json = json(Map.of("name", name, "config", config, "initial_state", initialState));
    retrying("POST " + name, () -> request("/connectors").POST(body(json)), 201);
  }

  /** Deletes the connector; one that does not exist is gone already. */
  public void delete(String name) {
    retrying("DELETE " + name, () -> request(path(name)).DELETE(), 204, 404);
  }

  /** Ends the connector's tasks and keeps its configuration and offsets. */
  public void stop(String name) {
    retrying("stop " + name, () -> request(path(name) + "/stop").PUT(body("")), 204);
  }

  /** Runs a stopped or paused connector again. */
  public void resume(String name) {
    retrying("resume " + name, () -> request(path(name) + "/resume").PUT(body("")), 202);
  }

  /** Starts the connector and its tasks anew, those that run as well. */
  public void restart(String name) {
    retrying(
        "restart " + name,
        () -> request(path(name) + "/restart?includeTasks=true").POST(body("")),
        202,
        204);
  }

  /** Starts one task anew; returns when the one before has ended and stored its offsets. */
  public void restartTask(String name, int task) {
    retrying(
        "restart task %d of %s".formatted(task, name),
        () -> request(path(name) + "/tasks/" + task + "/restart").POST(body("")),
        200,
        204);
  }

  /**
   * Sets offsets of a stopped connector.
   *
   * @param offsets the text {@code {"offsets":[{"partition":{…},"offset":{…}}]}}
   */
  public void alterOffsets(String name, String offsets) {
    retrying(
        "offsets of " + name,
        () -> request(path(name) + "/offsets").method("PATCH", body(offsets)),
        200);
  }

  /** Forgets the offsets of a stopped connector. */
  public void deleteOffsets(String name) {
    retrying("offsets of " + name, () -> request(path(name) + "/offsets").DELETE(), 200);
  }

  /** The configuration of a connector. */
  public Map<String, String> config(String name) {
    var config = retrying("config of " + name, () -> request(path(name) + "/config").GET(), 200);
    return config.properties().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().asText()));
  }

  /** What {@code GET …/offsets} answers. */
  public JsonNode offsets(String name) {
    return retrying("offsets of " + name, () -> request(path(name) + "/offsets").GET(), 200);
  }

  /** Where the worker is. */
  public URI worker() {
    return worker;
  }

  /** Every connector with its settings, as {@code GET /connectors?expand=info} answers. */
  public JsonNode described() {
    return retrying("connectors", () -> request("/connectors?expand=info").GET(), 200);
  }

  /** The names of all connectors. */
  public List<String> connectors() {
    var names = retrying("connectors", () -> request("/connectors").GET(), 200);
    return StreamSupport.stream(names.spliterator(), false).map(JsonNode::asText).toList();
  }

  /** The plugins' class names and versions, as {@code GET /connector-plugins} gives them. */
  public JsonNode plugins() {
    return retrying("plugins", () -> request("/connector-plugins?connectorsOnly=false").GET(), 200);
  }

  /** The state of a connector and its tasks; empty when the worker knows of none. */
  public Optional<ConnectorStatus> status(String name) {
    var json = retrying("status of " + name, () -> request(path(name) + "/status").GET(), 200, 404);
    return json.has("connector") ? Optional.of(ConnectorStatus.of(json)) : Optional.empty();
  }

  /** A setting that the connector has given its first task; empty if there is none. */
  public Optional<String> taskSetting(String name, String setting) {
    var tasks = retrying("tasks of " + name, () -> request(path(name) + "/tasks").GET(), 200, 404);
    var value = tasks.path(0).path("config").path(setting);
    return value.isTextual() ? Optional.of(value.asText()) : Optional.empty();
  }

  /**
   * Waits until the connector and at least one task run.
   *
   * @throws ConnectClientException as soon as one has failed, with the first lines of its trace, or
   *     when the time is up
   */
  public void awaitRunning(String name, Duration timeout) {
    Waiting.until(
        timeout,
        () -> {
          var status = status(name);
          status
              .flatMap(ConnectorStatus::finalFailure)
              .ifPresent(
                  trace -> {
                    throw new ConnectClientException("connector " + name + " failed: " + trace);
                  });
          return status.filter(ConnectorStatus::isRunning).isPresent();
        },
        () ->
            new ConnectClientException(
                "connector %s does not run after %d s: %s"
                    .formatted(
                        name,
                        timeout.toSeconds(),
                        status(name).map(ConnectorStatus::toString).orElse("it does not exist"))));
  }

  /**
   * What the connector finds wrong with a configuration: the messages by setting; empty when it is
   * good.
   */
  public Map<String, List<String>> validate(Map<String, String> config) {
    var plugin = config.get("connector.class");
    var answer =
        retrying(
            "validation of " + plugin,
            () ->
                request("/connector-plugins/" + encoded(plugin) + "/config/validate")
                    .PUT(body(json(config))),
            200);
    return StreamSupport.stream(answer.path("configs").spliterator(), false)
        .map(entry -> entry.path("value"))
        .filter(value -> !value.path("errors").isEmpty())
        .collect(
            Collectors.toMap(
                value -> value.path("name").asText(),
                value ->
                    StreamSupport.stream(value.path("errors").spliterator(), false)
                        .map(JsonNode::asText)
                        .toList()));
  }

  private JsonNode retrying(
      String what, java.util.function.Supplier<HttpRequest.Builder> request, int... expected) {
    long end = System.nanoTime() + REBALANCE_TIMEOUT.toNanos();
    while (true) {
      try {
        var response = send(request.get(), REQUEST_TIMEOUT);
        for (int code : expected) {
          if (response.statusCode() == code) {
            return response.body().isEmpty() ? JSON.missingNode() : JSON.readTree(response.body());
          }
        }
        boolean rebalancing = isRebalance(response);
        if (!rebalancing || System.nanoTime() > end) {
          throw ConnectClientException.refused(
              response.statusCode(),
              "%s: Connect at %s answers %d, %s"
                  .formatted(what, worker, response.statusCode(), message(response.body())));
        }
        Waiting.within(Duration.ofMillis(200), () -> false);
      } catch (IOException e) {
        throw noAnswer(what, e);
      }
    }
  }

  /** Whose certificate is not trusted, or has expired, is there all the same. */
  private ConnectClientException noAnswer(String what, IOException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SSLException) {
        return ConnectClientException.untrusted(
            "%s: no TLS with Connect at %s: %s".formatted(what, worker, explained(cause)), e);
      }
    }
    return new ConnectClientException(what + ": Connect at " + worker + " does not answer", e);
  }

  /** The message, with what is at the bottom of it, as the date on which a certificate expired. */
  private static String explained(Throwable failure) {
    var root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    var text = String.valueOf(failure.getMessage());
    var reason = String.valueOf(root.getMessage());
    return text.contains(reason) ? text : text + ": " + reason;
  }

  /** Of Connect's own errors their message; of others all there is. */
  private static String message(String body) {
    try {
      return JSON.readTree(body).path("message").asText(body);
    } catch (JsonProcessingException e) {
      return body;
    }
  }

  /** Some requests are refused with 500 for it: a question for a configuration, for one. */
  private static boolean isRebalance(HttpResponse<String> response) {
    int status = response.statusCode();
    return status == 409 && response.body().contains("rebalance")
        || status == 500 && response.body().contains("a rebalance is expected");
  }

  private HttpResponse<String> send(HttpRequest.Builder request, Duration timeout)
      throws IOException {
    try {
      return http.send(request.timeout(timeout).build(), BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectClientException("interrupted while Connect was asked", e);
    }
  }

  private HttpRequest.Builder request(String path) {
    var request =
        HttpRequest.newBuilder(worker.resolve(path)).header("Content-Type", "application/json");
    authorization.ifPresent(value -> request.header("Authorization", value));
    return request;
  }

  private static String basic(PasswordAuthentication login) {
    var text = login.getUserName() + ":" + new String(login.getPassword());
    return "Basic " + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String path(String connector) {
    return "/connectors/" + encoded(connector);
  }

  private static String encoded(String text) {
    // In a path a plus is a plus.
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static HttpRequest.BodyPublisher body(String json) {
    return BodyPublishers.ofString(json);
  }

  private static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a connector configuration", e);
    }
  }
}
