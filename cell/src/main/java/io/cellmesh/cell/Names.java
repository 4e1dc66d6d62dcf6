package io.cellmesh.cell;

import java.util.regex.Pattern;

/** Names that become part of topic, database and table names, and so are held to a narrow rule. */
public final class Names {

  /** Instances, indexes, clusters and data centres. */
  public static final Pattern INSTANCE = Pattern.compile("[a-z0-9_]{1,48}");

  private static final int DIGITS = 4;

  private Names() {}

  /**
   * @throws IllegalArgumentException naming the setting, the value and the rule
   */
  public static String check(String setting, String name) {
    if (name == null || !INSTANCE.matcher(name).matches()) {
      throw new IllegalArgumentException(
          setting + ": \"" + name + "\" is not 1 to 48 of a-z, 0-9 and _");
    }
    return name;
  }

  /** The database of a shard, for example {@code trips_0042}. */
  public static String database(String instance, int shard) {
    // By hand: it stands in every statement, and formatting costs more than some of them.
    var number = Integer.toString(shard);
    return instance + "_" + "0".repeat(Math.max(0, DIGITS - number.length())) + number;
  }

  /** The database with what a cluster knows beside its shards: position, buffer, epoch. */
  public static String metaDatabase(String instance) {
    return instance + "_meta";
  }
}
