package io.cellmesh.storage;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * Statements that go to the server in one round trip. What comes from outside is written as a
 * hexadecimal literal, which nothing can break out of, whatever its bytes; the rest of the text is
 * of names and integers of our own. Placeholders would say the same: the driver writes them into
 * the text, too, but takes a third of the sink's time for it, most of it to look for them.
 */
public final class Script {
  private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

  /** Digits of the longest integer, with its sign. */
  private static final int LONGEST_NUMBER = 20;

  private byte[] text;
  private int length;

  /** For statements of many cells. */
  public Script() {
    this(16 << 10);
  }

  /**
   * @param expected about how many characters there will be
   */
  Script(int expected) {
    this.text = new byte[expected];
  }

  /** Statements' own words: plain ASCII that nobody else has a say in. */
  public Script sql(String sql) {
    ensure(sql.length());
    for (int i = 0; i < sql.length(); i++) {
      text[length++] = (byte) sql.charAt(i);
    }
    return this;
  }

  /** An integer. */
  public Script number(long value) {
    if (value >= 0 && value < 10) {
      ensure(1);
      text[length++] = (byte) ('0' + value);
      return this;
    }
    ensure(LONGEST_NUMBER);
    return sql(Long.toString(value));
  }

  /** A binary value. */
  public Script bytes(byte[] value) {
    ensure(value.length * 2 + 3);
    text[length++] = 'x';
    text[length++] = '\'';
    for (byte b : value) {
      text[length++] = HEX[b >> 4 & 15];
      text[length++] = HEX[b & 15];
    }
    text[length++] = '\'';
    return this;
  }

  /** A text, byte-exact. */
  public Script text(String value) {
    return sql("_utf8mb4 ").bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Runs the statements, where what they answer is of no interest. The driver has read every answer
   * when it returns, so no error is missed. An open transaction stays open.
   *
   * @param connection with multi-statements allowed
   * @throws SQLException of the first statement that failed; none of those behind it has run
   */
  public void execute(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(toString());
    }
  }

  /**
   * Rolls back what a connection has open, after something went wrong.
   *
   * @param cause what did; gets what goes wrong here, too
   */
  public static void rollback(Connection connection, Exception cause) {
    try {
      new Script().sql("ROLLBACK").execute(connection);
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  /** Characters so far. */
  public int length() {
    return length;
  }

  @Override
  public String toString() {
    return new String(text, 0, length, StandardCharsets.US_ASCII);
  }

  private void ensure(int more) {
    if (length + more > text.length) {
      text = Arrays.copyOf(text, Math.max(length + more, text.length * 2));
    }
  }
}
