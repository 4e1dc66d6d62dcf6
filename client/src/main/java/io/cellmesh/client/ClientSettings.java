package io.cellmesh.client;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Printable;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * How workers are reached.
 *
 * @param instance whose cells they are
 * @param hosts the workers of one data centre, or a balancer before them: {@code http://HOST:PORT},
 *     with a path if they are behind one
 * @param deadline how long a call may take, with all that is repeated; 1 ms to a minute
 * @param patience after which time without an answer another host is asked as well; at most half of
 *     a call's deadline
 * @param token gives the bearer token of each request, so that a new one counts at once
 * @param tls certificates, ours and those that are trusted; the JVM's own if empty
 */
public record ClientSettings(
    String instance,
    List<URI> hosts,
    Duration deadline,
    Duration patience,
    Optional<Supplier<String>> token,
    Optional<SSLContext> tls) {
  private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(1);
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  /**
   * @throws IllegalArgumentException naming the setting, the value and the rule
   */
  public ClientSettings {
    Names.check("instance", instance);
    hosts = hosts.stream().map(ClientSettings::checked).toList();
    if (hosts.isEmpty()) {
      throw new IllegalArgumentException("hosts: none is given");
    }
    checkDeadline(deadline);
    if (patience.isNegative() || patience.isZero()) {
      throw new IllegalArgumentException("patience: " + patience.toMillis() + " ms is no time");
    }
    if (token.isPresent()) {
      hosts.forEach(ClientSettings::checkSecret);
    }
    Objects.requireNonNull(tls, "tls");
  }

  /**
   * Reaches the workers of an instance, with defaults for the rest: a deadline of 5 s, a patience
   * of 1 s, no token.
   *
   * @throws IllegalArgumentException naming the setting, the value and the rule
   */
  public static ClientSettings of(String instance, String... hosts) {
    return new ClientSettings(
        instance,
        List.of(hosts).stream().map(ClientSettings::parsed).toList(),
        WorkerApi.DEFAULT_DEADLINE,
        DEFAULT_PATIENCE,
        Optional.empty(),
        Optional.empty());
  }

  /** The same with another deadline of calls. */
  public ClientSettings withDeadline(Duration deadline) {
    return new ClientSettings(instance, hosts, deadline, patience, token, tls);
  }

  /** The same with another patience. */
  public ClientSettings withPatience(Duration patience) {
    return new ClientSettings(instance, hosts, deadline, patience, token, tls);
  }

  /**
   * The same with a bearer token, which is asked for at each request.
   *
   * @throws IllegalArgumentException if a host would get it over http from another machine
   */
  public ClientSettings withToken(Supplier<String> token) {
    return new ClientSettings(instance, hosts, deadline, patience, Optional.of(token), tls);
  }

  /**
   * The same with the bearer token in a file, which may be replaced at any time.
   *
   * @param file a line with nothing else
   * @throws IllegalArgumentException if a host would get it over http from another machine
   */
  public ClientSettings withTokenFile(Path file) {
    return withToken(new TokenFile(file, System::nanoTime));
  }

  /**
   * The same with trust in the CAs of a file alone.
   *
   * @param pem their certificates in PEM
   * @throws IllegalArgumentException if none can be read; it names the file
   */
  public ClientSettings withTrustIn(Path pem) {
    return withTls(Trust.in(pem));
  }

  /** The same with certificates. */
  public ClientSettings withTls(SSLContext tls) {
    return new ClientSettings(instance, hosts, deadline, patience, token, Optional.of(tls));
  }

  /**
   * @throws IllegalArgumentException if it is not in 1 ms to a minute
   */
  static Duration checkDeadline(Duration deadline) {
    if (deadline.toMillis() < 1 || deadline.compareTo(WorkerApi.MAX_DEADLINE) > 0) {
      throw new IllegalArgumentException(
          "deadline: %d ms is not in 1..%d"
              .formatted(deadline.toMillis(), WorkerApi.MAX_DEADLINE.toMillis()));
    }
    return deadline;
  }

  private static URI parsed(String host) {
    try {
      return URI.create(host);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("host = \"%s\": no URL".formatted(Printable.of(host)));
    }
  }

  /** Without a slash at its end, since paths begin with one. */
  private static URI checked(URI host) {
    var scheme = String.valueOf(host.getScheme()).toLowerCase(Locale.ROOT);
    boolean web = scheme.equals("http") || scheme.equals("https");
    if (!web || host.getHost() == null) {
      throw refused(host, "not http://HOST:PORT or https://HOST:PORT");
    }
    if (host.getUserInfo() != null || host.getQuery() != null || host.getFragment() != null) {
      throw refused(host, "a user, a query or a fragment has no place in it");
    }
    return URI.create(host.toString().replaceFirst("/+$", ""));
  }

  private static void checkSecret(URI host) {
    if (host.getScheme().equalsIgnoreCase("http") && !LOOPBACK.contains(host.getHost())) {
      throw refused(host, "a token goes over https, or over http to this machine's loopback");
    }
  }

  /** Shows no user info, which may be a password. */
  private static IllegalArgumentException refused(URI host, String rule) {
    var shown =
        host.getHost() == null ? host.toString().replaceFirst("//.*@", "//") : host.getHost();
    return new IllegalArgumentException(
        "host = \"%s\": %s".formatted(Printable.of(Shortened.of(shown)), rule));
  }

  /** Shows no token. */
  @Override
  public String toString() {
    return "ClientSettings[%s at %s]".formatted(instance, hosts);
  }
}
