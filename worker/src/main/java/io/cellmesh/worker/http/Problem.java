package io.cellmesh.worker.http;

import io.cellmesh.worker.security.UnknownCallerException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Why a call did not do what was asked for, as RFC 9457 has it. It holds no body and no secret.
 *
 * @param more fields of this kind of problem
 */
record Problem(int status, String type, String title, String detail, Map<String, Object> more) {
  static final String ENDING = "ending";
  static final String UNKNOWN_TOKEN = "unknown-token";

  private static final String PREFIX = "urn:cellmesh:problem:";
  private static final String WHO = "It is not known who calls";

  Problem {
    more = Map.copyOf(more);
  }

  /** A value that breaks a rule. */
  static Problem invalid(String field, String detail, String rule) {
    return new Problem(
        400, "invalid", "A rule was broken", detail, Map.of("field", field, "rule", rule));
  }

  /** A server looked for a cell or a row, and has none. */
  static Problem noSuchCell(String detail) {
    return new Problem(404, "no-such-cell", "There is no such cell", detail, Map.of());
  }

  /** No server was asked for a cell: the worker does not serve the instance. */
  static Problem noSuchInstance(String detail) {
    return new Problem(404, "no-such-instance", "There is no such instance", detail, Map.of());
  }

  static Problem noSuchIndex(String detail) {
    return new Problem(404, "no-such-index", "There is no such index", detail, Map.of());
  }

  /** More than is taken, or than is answered, at once. */
  static Problem tooLarge(String detail) {
    return new Problem(413, "too-large", "It is more than is handled at once", detail, Map.of());
  }

  static Problem overloaded(String detail) {
    return new Problem(429, "overloaded", "There is more to do than can be done", detail, Map.of());
  }

  static Problem unavailable(String detail) {
    return new Problem(503, "unavailable", "Nobody answered in time", detail, Map.of());
  }

  /** A worker that is about to end; another one can be asked at once. */
  static Problem ending() {
    return new Problem(
        503, ENDING, "Nobody answered in time", "this worker is about to end", Map.of());
  }

  /** A call of which nobody knows whose it is. */
  static Problem unknownCaller(UnknownCallerException e) {
    return switch (e.kind()) {
      case NO_TOKEN -> new Problem(401, "no-token", WHO, e.getMessage(), Map.of());
      case UNKNOWN_TOKEN -> new Problem(401, UNKNOWN_TOKEN, WHO, e.getMessage(), Map.of());
      case FOREIGN -> new Problem(403, "foreign", WHO, e.getMessage(), Map.of());
    };
  }

  /** A call that its caller has no right to. */
  static Problem forbidden(String detail) {
    return new Problem(403, "forbidden", "A right is missing", detail, Map.of());
  }

  /** A body that does not arrive. */
  static Problem slow(String detail) {
    return new Problem(408, "slow", "The request took too long", detail, Map.of());
  }

  /** Whatever HTTP says about the status. */
  static Problem of(int status, String title) {
    return new Problem(status, "http-" + status, title, title, Map.of());
  }

  /** As the JSON object that is sent. */
  Map<String, Object> fields() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("type", PREFIX + type);
    fields.put("title", title);
    fields.put("status", status);
    fields.put("detail", detail);
    fields.putAll(new TreeMap<>(more));
    return fields;
  }
}
