package io.cellmesh.storage.grants;

import java.util.regex.Pattern;

/**
 * A MySQL account.
 *
 * @param host the client hosts that it signs on from, in MySQL's words: {@code %} for all
 * @param tlsOnly whether the server takes it over encrypted connections alone
 */
public record Account(String user, String host, boolean tlsOnly) {
  private static final Pattern USER = Pattern.compile("[A-Za-z0-9_.-]{1,32}");
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_.:/%-]{1,255}");

  /**
   * @throws IllegalArgumentException naming the value and the rule, which leaves out everything
   *     that would have to be quoted
   */
  public Account {
    check(USER, "user", user, "1 to 32 of letters, digits, _, . and -");
    check(HOST, "host", host, "1 to 255 of letters, digits, _, ., :, /, % and -");
  }

  /** As statements name it. */
  @Override
  public String toString() {
    return "'" + user + "'@'" + host + "'";
  }

  private static void check(Pattern pattern, String what, String value, String rule) {
    if (!pattern.matcher(value).matches()) {
      throw new IllegalArgumentException(what + ": \"" + value + "\" is not " + rule);
    }
  }
}
