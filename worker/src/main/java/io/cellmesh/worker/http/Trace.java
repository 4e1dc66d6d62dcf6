package io.cellmesh.worker.http;

import io.cellmesh.worker.security.Caller;
import io.javalin.http.Context;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Request;

/** What becomes known of a call on its way, for the logs. */
final class Trace {
  private static final String NAME = "cellmesh-trace";
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:+/=-]{1,64}");

  private final String id;
  private Optional<Caller> caller = Optional.empty();
  private String route = "-";
  private String instance = "-";
  private Optional<String> row = Optional.empty();

  private Trace(String id) {
    this.id = id;
  }

  /**
   * Begins with the name that the caller gave the call, or one of our own if it is none that can
   * stand in a log.
   */
  static Trace begin(String given) {
    boolean fit = given != null && ID.matcher(given).matches();
    return new Trace(fit ? given : drawn());
  }

  private static String drawn() {
    return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }

  void keepIn(Context call) {
    call.attribute(NAME, this);
  }

  void keepIn(Request request) {
    request.setAttribute(NAME, this);
  }

  static Trace of(Context call) {
    return call.attribute(NAME);
  }

  /** Of a request that Jetty itself refused, none. */
  static Optional<Trace> of(Request request) {
    return Optional.ofNullable((Trace) request.getAttribute(NAME));
  }

  /** Notes what the router found out. */
  void reached(String route, Optional<String> instance, Optional<String> row) {
    this.route = route;
    this.instance = instance.map(Parameters::shortened).orElse("-");
    this.row = row;
  }

  void calledBy(Caller caller) {
    this.caller = Optional.of(caller);
  }

  String id() {
    return id;
  }

  Optional<Caller> caller() {
    return caller;
  }

  /** The path as the contract has it. */
  String route() {
    return route;
  }

  /** The instance as the path names it, shortened; it need not be there. */
  String instance() {
    return instance;
  }

  /** The row key as the path has it, which may be none. */
  Optional<String> row() {
    return row;
  }
}
