package io.cellmesh.client;

import java.net.http.HttpResponse;
import java.util.Optional;

/** A worker's answer to a whole call. */
record Reply(HttpResponse<byte[]> response) {
  int status() {
    return response.statusCode();
  }

  Optional<String> header(String name) {
    return response.headers().firstValue(name);
  }

  Part body() {
    return new Part(response.body());
  }

  /** What the answer says of why the call is not done; only the status if it says nothing. */
  Problem problem() {
    if (!header("Content-Type").orElse("").startsWith("application/problem+json")) {
      return Problem.of(status(), "");
    }
    try {
      return Problem.read(status(), body());
    } catch (WrongAnswerException e) {
      return Problem.of(status(), "");
    }
  }
}
