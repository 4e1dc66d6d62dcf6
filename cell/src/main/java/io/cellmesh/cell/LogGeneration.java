package io.cellmesh.cell;

import java.util.Map;

/**
 * How often a data centre has made its log again. Each time the number rises, and with the new log
 * come all cells once more: so a link whose place is gone has the data centre's own word that it
 * may begin again, and leaves nothing out.
 *
 * <p>A data centre says its own in its topic of the places, and remembers there those of its peers'
 * logs that it has begun to read.
 */
public final class LogGeneration {
  /** Of a log that was never made again. */
  public static final int FIRST = 1;

  private LogGeneration() {}

  /** The key under which the topic of the places has it; no data centre has such a name. */
  public static String key(String datacenter) {
    return datacenter + ":generation";
  }

  /**
   * What is said of a data centre's log; {@link #FIRST} if nothing is.
   *
   * @param topic the newest value of each key
   */
  public static int in(Map<String, String> topic, String datacenter) {
    return parse(topic.get(key(datacenter)));
  }

  /** {@link #FIRST} if the text is something else. */
  public static int parse(String text) {
    try {
      return text == null ? FIRST : Math.max(FIRST, Integer.parseInt(text));
    } catch (NumberFormatException e) {
      return FIRST;
    }
  }
}
