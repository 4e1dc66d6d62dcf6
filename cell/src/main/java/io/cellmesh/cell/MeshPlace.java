package io.cellmesh.cell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How far a link has read one partition of its peer's log, as the data centre remembers it that the
 * cells came to: all of the peer's own cells before it stand in the mesh topic. It means something
 * in that log alone.
 *
 * <p>Each partition has a record of its own, so that who reads one never takes back what another
 * has written of another.
 *
 * @param log that it is a place in
 * @param next the offset of the next record to read
 */
public record MeshPlace(RememberedLog log, long next) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String NEXT = "next";

  /** The key under which the topic of the places has it; no data centre has such a name. */
  public static String key(String peer, int partition) {
    return peer + ":" + partition;
  }

  /**
   * The key of a place in the seed that the peer has for this data centre: there the log is the
   * seed's topic.
   */
  public static String seedKey(String peer, int partition) {
    return key(seedOf(peer), partition);
  }

  /**
   * The key under which somebody asks the link to go on without what is lost. What stands there
   * says when, in UTC; it counts for minutes, and until the link has done so.
   */
  public static String acceptKey(String peer) {
    return peer + ":accept";
  }

  public String toJson() {
    try {
      var fields = (ObjectNode) MAPPER.readTree(log.toJson());
      return MAPPER.writeValueAsString(fields.put(NEXT, next));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Empty if the text is something else. */
  public static Optional<MeshPlace> parse(String text) {
    return RememberedLog.parse(text).flatMap(log -> next(text).map(n -> new MeshPlace(log, n)));
  }

  /**
   * The places of a link in one log, by partition; those that were in another log are none.
   *
   * @param topic the newest value of each key
   */
  public static Map<Integer, Long> in(Map<String, String> topic, String peer, RememberedLog log) {
    var places = new TreeMap<Integer, Long>();
    topic.forEach(
        (key, value) ->
            partition(key, peer)
                .ifPresent(
                    partition ->
                        parse(value)
                            .filter(place -> place.log().equals(log))
                            .ifPresent(place -> places.put(partition, place.next()))));
    return places;
  }

  /** As {@link #in}, of the places in the peer's seed. */
  public static Map<Integer, Long> inSeed(
      Map<String, String> topic, String peer, RememberedLog seed) {
    return in(topic, seedOf(peer), seed);
  }

  /** No data centre has such a name. */
  private static String seedOf(String peer) {
    return peer + ":seed";
  }

  private static Optional<Integer> partition(String key, String peer) {
    if (!key.startsWith(peer + ":")) {
      return Optional.empty();
    }
    try {
      return Optional.of(Integer.parseInt(key.substring(peer.length() + 1)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Optional<Long> next(String text) {
    try {
      var next = MAPPER.readTree(text).path(NEXT);
      return next.canConvertToLong() && next.asLong() >= 0
          ? Optional.of(next.asLong())
          : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
