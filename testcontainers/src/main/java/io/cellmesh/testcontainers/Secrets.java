package io.cellmesh.testcontainers;

import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** A password for each role, and for root. */
record Secrets(Map<String, String> passwords) {
  static final String ROOT = "root";

  /** Roles of whoever works on the instance from outside. */
  static final List<String> OPERATORS = List.of("reader", "operator", "replication");

  /** Roles of connectors, which the worker alone resolves. */
  static final List<String> CONNECTORS = List.of("sink", "source", "index");

  static Secrets draw() {
    var random = new SecureRandom();
    var passwords = new HashMap<String, String>();
    for (var roles : List.of(List.of(ROOT), OPERATORS, CONNECTORS)) {
      for (var role : roles) {
        var bytes = new byte[15];
        random.nextBytes(bytes);
        passwords.put(role, HexFormat.of().formatHex(bytes));
      }
    }
    return new Secrets(passwords);
  }

  String of(String role) {
    return passwords.get(role);
  }

  @Override
  public String toString() {
    return "passwords of " + passwords.keySet();
  }
}
