package io.cellmesh.triggers.webhook;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The rules for headers that a user adds. */
final class ExtraHeaders {
  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");
  private static final Pattern VALUE =
      Pattern.compile("[\\x21-\\x7e](?:[\\x20-\\x7e\\t]*[\\x21-\\x7e])?");

  /** What the event, the token and the connection have for themselves. */
  private static final Set<String> TAKEN =
      Set.of(
          "proxy-authorization",
          "connection",
          "content-encoding",
          "content-length",
          "content-type",
          "expect",
          "host",
          "http2-settings",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private ExtraHeaders() {}

  /**
   * Checks headers.
   *
   * @return them by their names, whose case does not count
   * @throws IllegalArgumentException naming the header and the rule; the value may be a secret
   */
  static Map<String, String> checked(Map<String, String> headers) {
    var checked = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach(
        (name, value) -> {
          check(name, value);
          if (checked.put(name, value) != null) {
            throw bad(name, "is given twice");
          }
        });
    return Collections.unmodifiableMap(checked);
  }

  private static void check(String name, String value) {
    var lower = name.toLowerCase(Locale.ROOT);
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          WebhookConfig.HEADER
              + "NAME: a header's name is 1 to 128 letters, digits, hyphens and the like");
    }
    if (lower.equals("authorization")) {
      throw bad(name, "can't be set; a token goes into " + WebhookConfig.TOKEN_FILE);
    }
    if (TAKEN.contains(lower) || lower.startsWith("ce-")) {
      throw bad(name, "can't be set; the event or the connection has its own");
    }
    if (!VALUE.matcher(value).matches()) {
      throw bad(name, "its value must be visible ASCII, with blanks only between");
    }
  }

  private static IllegalArgumentException bad(String name, String rule) {
    return new IllegalArgumentException(WebhookConfig.HEADER + name + ": " + rule);
  }
}
