package io.cellmesh.worker.security;

import static java.util.regex.Pattern.CASE_INSENSITIVE;

import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.worker.load.RecurringLook;
import io.cellmesh.worker.security.UnknownCallerException.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Knows who calls, by files that it reads anew within seconds of a change. Thread-safe. */
public final class Door implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Door.class);
  private static final long LOOK_SECONDS = 1;
  private static final String SCHEME = "bearer ";
  private static final Pattern THIS_MACHINE =
      Pattern.compile("(localhost|127(\\.[0-9]{1,3}){3}|\\[::1])(:[0-9]*)?", CASE_INSENSITIVE);

  private final Protection protection;
  private final Optional<Reloaded<Tokens>> tokens;
  private final Optional<Reloaded<SSLContext>> certificate;
  private final Optional<SslContextFactory.Server> tls;

  /** What connections are made with. */
  private volatile SSLContext used;

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Door::daemon);

  private Door(Protection protection) {
    this.protection = protection;
    this.tokens =
        protection
            .tokens()
            .map(
                file ->
                    Reloaded.open(
                        "tokens", List.of(file), read -> Tokens.parse(Tokens.text(read.get(0)))));
    this.certificate =
        protection.tls().map(files -> Reloaded.open("certificate", files.all(), Tls::context));
    this.tls = certificate.map(this::factory);
  }

  /**
   * Reads the files, and begins to look whether they change.
   *
   * @param at where the worker listens
   * @throws DeploymentException if a file can't be used, or other machines would be served without
   *     tokens
   */
  public static Door open(Protection protection, InetSocketAddress at) {
    protection.check(at);
    var door = new Door(protection);
    door.warn(at);
    var look = new RecurringLook("tokens and certificate", door::look);
    door.timer.scheduleWithFixedDelay(look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    return door;
  }

  public Protection protection() {
    return protection;
  }

  /** What TLS connections are made with; empty if connections are in the clear. */
  public Optional<SslContextFactory.Server> tls() {
    return tls;
  }

  /** For each thing that is read from files whether what is in force is what stands there. */
  public Map<String, Boolean> fresh() {
    var fresh = new LinkedHashMap<String, Boolean>();
    tokens.ifPresent(read -> fresh.put(read.what(), read.isFresh()));
    certificate.ifPresent(read -> fresh.put(read.what(), read.isFresh() && read.current() == used));
    return fresh;
  }

  /**
   * Says who calls.
   *
   * @param peer the other end of the connection
   * @param authorization every header of that name
   * @param host the header of that name
   * @param origin the header of that name, which browsers send
   * @throws UnknownCallerException if nobody knows him
   */
  public Caller caller(
      InetAddress peer, List<String> authorization, Optional<String> host, Optional<String> origin)
      throws UnknownCallerException {
    if (tokens.isPresent()) {
      return owner(tokens.get().current(), authorization);
    }
    if (!peer.isLoopbackAddress()) {
      throw new UnknownCallerException(Kind.NO_TOKEN, "this worker answers its own machine alone");
    }
    // A page from anywhere, in a browser of this machine, must not have what its user has.
    if (!host.map(Door::isThisMachine).orElse(true)
        || !origin.map(Door::isPageOfThisMachine).orElse(true)) {
      throw new UnknownCallerException(
          Kind.FOREIGN,
          "without tokens this worker is for programs and pages of its own machine, "
              + "under the name localhost; Host or Origin has another one");
    }
    return Caller.LOCAL;
  }

  private static Caller owner(Tokens tokens, List<String> authorization)
      throws UnknownCallerException {
    if (authorization.size() != 1
        || !authorization.get(0).toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      throw new UnknownCallerException(
          Kind.NO_TOKEN, "a bearer token is needed, in one header Authorization");
    }
    return tokens
        .callerOf(authorization.get(0).substring(SCHEME.length()).strip())
        .orElseThrow(
            () -> new UnknownCallerException(Kind.UNKNOWN_TOKEN, "this token is not known here"));
  }

  private static boolean isThisMachine(String host) {
    return THIS_MACHINE.matcher(host).matches();
  }

  private static boolean isPageOfThisMachine(String origin) {
    try {
      var host = URI.create(origin).getHost();
      return host != null && isThisMachine(host);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private SslContextFactory.Server factory(Reloaded<SSLContext> read) {
    var factory = new SslContextFactory.Server();
    used = read.current();
    factory.setSslContext(used);
    factory.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    factory.setNeedClientAuth(protection.tls().orElseThrow().clientCa().isPresent());
    return factory;
  }

  private void look() throws Exception {
    tokens.ifPresent(Reloaded::look);
    certificate.ifPresent(Reloaded::look);
    if (tls.isPresent() && tls.get().isStarted() && used != certificate.get().current()) {
      var current = certificate.get().current();
      tls.get().reload(factory -> factory.setSslContext(current));
      used = current;
    }
  }

  private void warn(InetSocketAddress at) {
    protection.tokens().ifPresent(Door::warnOfReaders);
    protection.tls().ifPresent(files -> warnOfReaders(files.key()));
    if (tls.isEmpty() && !at.getAddress().isLoopbackAddress()) {
      LOG.warn(
          "tokens and cells go over {} in the clear; --tls-certificate and --tls-key encrypt them",
          at.getHostString());
    }
  }

  private static void warnOfReaders(Path file) {
    try {
      if (Reloaded.permissions(file).contains(PosixFilePermission.OTHERS_READ)) {
        LOG.warn("{} may be read by everybody on this machine; chmod o-r it", file);
      }
    } catch (IOException e) {
      LOG.warn("{}: who may read it can't be told", file);
    }
  }

  /** Looks no more. */
  @Override
  public void close() {
    timer.shutdownNow();
  }

  private static Thread daemon(Runnable task) {
    var thread = new Thread(task, "worker-door");
    thread.setDaemon(true);
    return thread;
  }
}
