package io.cellmesh.topics.trigger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * What makes a trigger the one that it is; it never changes.
 *
 * @param topic that it reads
 * @param columns whose cells it is called with, in alphabetical order; empty for all
 * @param order within what its cells are called one after the other
 * @param start where it begins, as it was asked
 */
public record Definition(String topic, List<String> columns, Order order, Start start) {
  public Definition {
    columns = columns.stream().sorted().distinct().toList();
  }

  /** Whether it is called with the cells of a column. */
  public boolean has(String column) {
    return columns.isEmpty() || columns.contains(column);
  }

  /** Tells definitions apart: 64 hexadecimal digits of SHA-256. */
  public String digest() {
    var json = StateFields.object();
    write(json);
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(StateFields.bytes(json)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What another one says otherwise, in words; empty if it is the same. */
  public List<String> differences(Definition asked) {
    var differences = new ArrayList<String>();
    compare("topic", topic, asked.topic, differences);
    compare("columns", text(columns), text(asked.columns), differences);
    compare("order", text(order), text(asked.order), differences);
    compare("start", start.text(), asked.start.text(), differences);
    return differences;
  }

  private static void compare(String what, String mine, String asked, List<String> differences) {
    if (!mine.equals(asked)) {
      differences.add("%s = %s, asked for was %s".formatted(what, mine, asked));
    }
  }

  private static String text(List<String> columns) {
    return columns.isEmpty() ? "all" : String.join(", ", columns);
  }

  /** As it stands in JSON and on a command line. */
  public static String text(Order order) {
    return order.name().toLowerCase(Locale.ROOT);
  }

  void write(ObjectNode json) {
    json.put("topic", topic);
    columns.forEach(json.putArray("columns")::add);
    json.put("order", text(order));
    json.set("start", start.toJson());
  }

  static Definition read(StateFields fields) throws FieldException {
    return new Definition(
        fields.text("topic"), fields.texts("columns"), order(fields), start(fields));
  }

  private static Order order(StateFields fields) throws FieldException {
    return switch (fields.text("order")) {
      case "shard" -> Order.SHARD;
      case "row" -> Order.ROW;
      default -> throw fields.broken("order", "must be shard or row");
    };
  }

  private static Start start(StateFields fields) throws FieldException {
    var start = fields.object("start");
    return switch (start.text("at")) {
      case "beginning" -> new Start.Beginning();
      case "now" -> new Start.Now();
      case "time" -> new Start.Time(start.time("time"));
      case "offsets" -> new Start.Offsets(start.numbers("offsets"));
      default -> throw start.broken("at", "must be beginning, now, time or offsets");
    };
  }
}
