package io.cellmesh.worker.http;

import io.javalin.http.Context;
import io.javalin.http.Header;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An answer, complete before a byte of it is sent.
 *
 * @param json an object
 */
record Reply(int status, Map<String, String> headers, String contentType, byte[] json) {
  private static final String RETRY_SECONDS = "1";
  private static final String AT_ONCE = "0";
  private static final String CHALLENGE = "Bearer realm=\"cellmesh\"";
  private static final String INVALID = ", error=\"invalid_token\"";

  static Reply ok(Map<String, String> headers, byte[] json) {
    return new Reply(200, headers, "application/json", json);
  }

  static Reply of(Problem problem, Map<String, String> headers) {
    var all = new LinkedHashMap<>(headers);
    if (problem.status() == 429 || problem.status() == 503) {
      all.put(Headers.RETRY_AFTER, problem.type().equals(Problem.ENDING) ? AT_ONCE : RETRY_SECONDS);
    }
    if (problem.status() == 401) {
      all.put(
          Header.WWW_AUTHENTICATE,
          problem.type().equals(Problem.UNKNOWN_TOKEN) ? CHALLENGE + INVALID : CHALLENGE);
    }
    return new Reply(
        problem.status(), all, "application/problem+json", Json.bytes(problem.fields()));
  }

  void send(Context call) {
    headers.forEach(call::header);
    call.status(status).contentType(contentType).result(json);
  }
}
