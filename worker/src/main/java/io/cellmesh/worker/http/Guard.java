package io.cellmesh.worker.http;

import io.cellmesh.worker.security.Caller;
import io.cellmesh.worker.security.Door;
import io.cellmesh.worker.security.Right;
import io.cellmesh.worker.security.UnknownCallerException;
import io.javalin.http.Context;
import io.javalin.http.Header;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a call pass if its caller has the right that it needs. What it tells others is the same
 * whether or not an instance is there. Each refusal has a line in the audit log.
 */
final class Guard {
  private static final Logger AUDIT = LoggerFactory.getLogger("cellmesh.worker.audit");
  private static final String INSTANCE = "instance";
  private static final Caller NOBODY = new Caller("-", Map.of());

  private final Door door;
  private final Figures figures;

  Guard(Door door, Figures figures) {
    this.door = door;
    this.figures = figures;
  }

  /**
   * Finds out who calls.
   *
   * @param must whether he has to be known
   * @throws ProblemException 401 if he must and is not
   */
  void identify(Context call, boolean must) {
    try {
      Trace.of(call).calledBy(caller(call));
    } catch (UnknownCallerException e) {
      if (must) {
        throw refused(call, Problem.unknownCaller(e));
      }
    }
  }

  /**
   * Lets a call pass whose caller has a right in the instance that the path names, or in any if it
   * names none.
   *
   * @throws ProblemException 403 if he lacks it, or is unknown
   */
  void require(Context call, Right right) {
    var caller = Trace.of(call).caller().orElse(NOBODY);
    var instance = call.pathParamMap().get(INSTANCE);
    boolean may = instance == null ? caller.maySomewhere(right) : caller.may(right, instance);
    if (!may) {
      throw refused(call, Problem.forbidden(missing(caller, right, instance)));
    }
  }

  private static String missing(Caller caller, Right right, String instance) {
    return "the token %s lacks the right %s on %s"
        .formatted(
            caller.name(),
            right.text(),
            instance == null ? "any instance" : "instance " + Parameters.shortened(instance));
  }

  private ProblemException refused(Context call, Problem problem) {
    var trace = Trace.of(call);
    figures.refused(problem.type());
    AUDIT
        .atWarn()
        .addKeyValue("peer", call.req().getRemoteAddr())
        .addKeyValue("token", trace.caller().map(Caller::name).orElse("-"))
        .addKeyValue("instance", trace.instance())
        .addKeyValue("id", trace.id())
        .log(
            "refused {} {} {} of {} from {}: {}; instance {}, id {}",
            problem.status(),
            call.method().name(),
            trace.route(),
            trace.caller().map(Caller::name).orElse("-"),
            call.req().getRemoteAddr(),
            problem.detail(),
            trace.instance(),
            trace.id());
    return new ProblemException(problem);
  }

  private Caller caller(Context call) throws UnknownCallerException {
    var headers = call.req().getHeaders(Header.AUTHORIZATION);
    List<String> authorization = headers == null ? List.of() : Collections.list(headers);
    return door.caller(
        peer(call),
        authorization,
        Optional.ofNullable(call.header(Header.HOST)),
        Optional.ofNullable(call.header(Header.ORIGIN)));
  }

  /** By its address; no name is looked up. */
  private static InetAddress peer(Context call) {
    try {
      return InetAddress.getByName(call.req().getRemoteAddr());
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
