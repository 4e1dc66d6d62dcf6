package io.cellmesh.e2e.log;

import io.cellmesh.cell.CellKey;
import io.cellmesh.devstack.MySqlServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What MySQL's own {@code mysqlbinlog} reads in the binlog files of a server: the cells inserted
 * into the entity tables, in the order of their commits.
 */
final class BinlogAccount {
  private static final Pattern INSERT =
      Pattern.compile("### INSERT INTO `([a-z0-9_]+)_(\\d{4})`\\.`entity`");
  private static final Pattern CHANGE = Pattern.compile("### (UPDATE|DELETE FROM) `.*`\\.`entity`");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(x[0-9a-f]{2}|.)");
  private static final String GTID = "SET @@SESSION.GTID_NEXT= '";

  private final String instance;
  private final Shardwise cells = new Shardwise();
  private long transactions;
  private int shard = -1;
  private long addedId;
  private UUID rowKey;
  private String column;

  private BinlogAccount(String instance) {
    this.instance = instance;
  }

  /**
   * Reads a server's files. What it commits meanwhile may or may not be among them.
   *
   * @param without a GTID set whose transactions are left out
   */
  static BinlogAccount of(MySqlServer server, String instance, String without)
      throws IOException, InterruptedException, SQLException {
    var account = new BinlogAccount(instance);
    var command =
        new ArrayList<String>(
            List.of(
                server.program("mysqlbinlog").toString(),
                "--no-defaults",
                "--base64-output=decode-rows",
                "-vv",
                "--exclude-gtids=" + without));
    files(server).forEach(file -> command.add(file.toString()));
    var process = new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
    try (var lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.ISO_8859_1))) {
      lines.lines().forEach(account::take);
    }
    if (process.waitFor() != 0) {
      throw new IllegalStateException("mysqlbinlog ended with " + process.exitValue());
    }
    return account;
  }

  Shardwise cells() {
    return cells;
  }

  long transactions() {
    return transactions;
  }

  private static List<Path> files(MySqlServer server) throws SQLException {
    var files = new ArrayList<Path>();
    try (var connection = server.connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("SHOW BINARY LOGS")) {
      while (rows.next()) {
        files.add(server.dataDir().resolve(rows.getString(1)));
      }
    }
    return files;
  }

  private void take(String line) {
    if (line.startsWith(GTID) && !line.startsWith("AUTOMATIC", GTID.length())) {
      transactions++;
    }
    if (!line.startsWith("###")) {
      return;
    }
    if (line.startsWith("###   @")) {
      if (shard >= 0) {
        value(line);
      }
    } else if (line.startsWith("### INSERT")) {
      var insert = INSERT.matcher(line);
      boolean own = insert.lookingAt() && insert.group(1).equals(instance);
      shard = own ? Integer.parseInt(insert.group(2)) : -1;
    } else if (CHANGE.matcher(line).lookingAt()) {
      throw new AssertionError("not an insert: " + line);
    }
  }

  private void value(String line) {
    int equals = line.indexOf('=');
    switch (line.substring("###   @".length(), equals)) {
      case "1" -> addedId = number(line, equals);
      case "2" -> rowKey = uuid(text(line, equals));
      case "3" -> column = text(line, equals);
      case "4" -> {
        cells.add(shard, new Entry(addedId, new CellKey(rowKey, column, number(line, equals))));
        shard = -1;
      }
      default -> {
        // A body or an origin.
      }
    }
  }

  private static long number(String line, int equals) {
    return Long.parseLong(line.substring(equals + 1, line.indexOf(' ', equals)));
  }

  private static String text(String line, int equals) {
    return line.substring(equals + 2, line.lastIndexOf("' /*"));
  }

  /** A binlog leaves a binary value's zeros at the end out. */
  private static UUID uuid(String printed) {
    var bytes =
        ESCAPE
            .matcher(printed)
            .replaceAll(escape -> Matcher.quoteReplacement(unescaped(escape.group(1))))
            .getBytes(StandardCharsets.ISO_8859_1);
    var whole = ByteBuffer.allocate(16).put(bytes).rewind();
    return new UUID(whole.getLong(), whole.getLong());
  }

  private static String unescaped(String escape) {
    return switch (escape.charAt(0)) {
      case 'x' -> Character.toString((char) Integer.parseInt(escape.substring(1), 16));
      case 'b' -> "\b";
      case 'f' -> "\f";
      case 't' -> "\t";
      case 'n' -> "\n";
      case 'r' -> "\r";
      case '0' -> "\0";
      default -> escape;
    };
  }
}
