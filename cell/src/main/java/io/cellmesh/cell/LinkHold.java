package io.cellmesh.cell;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Says that a link stands still because somebody wants it to. It stands in the topic of the places
 * of the data centre that the cells come to, and counts until its key is removed, whatever is
 * restarted meanwhile.
 *
 * @param since when it was said
 * @param by who said so
 */
public record LinkHold(Kind kind, Instant since, String by) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String KEY = ":hold";

  /** Why a link stands still. */
  public enum Kind {
    /** For a while: it goes on at its place. */
    PAUSED("paused"),
    /** The peer is given up: what others have of its cells is relayed in its place. */
    LOST("given up as lost");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  /** The key under which the topic of the places has it; no data centre has such a name. */
  public static String key(String peer) {
    return peer + KEY;
  }

  /** Whether a key of that topic may have such a value. */
  public static boolean isKey(String key) {
    return key.endsWith(KEY);
  }

  /**
   * Finds what holds the link to a peer; empty if nothing does.
   *
   * @param topic the newest value of each key
   */
  public static Optional<LinkHold> in(Map<String, String> topic, String peer) {
    return parse(topic.get(key(peer)));
  }

  /** Empty if the text is something else, or null. */
  public static Optional<LinkHold> parse(String text) {
    if (text == null) {
      return Optional.empty();
    }
    try {
      var fields = MAPPER.readTree(text);
      return Optional.of(
          new LinkHold(
              Kind.valueOf(fields.path("hold").asText().toUpperCase(Locale.ROOT)),
              Instant.parse(fields.path("since").asText()),
              fields.path("by").asText()));
    } catch (JsonProcessingException | IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Writes the value. */
  public String toJson() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("hold", kind.name().toLowerCase(Locale.ROOT));
    fields.put("since", since.toString());
    fields.put("by", by);
    try {
      return MAPPER.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reads like {@code paused since 2026-01-31T12:00:00Z by anna@ops1}. */
  public String text() {
    return "%s since %s by %s".formatted(kind.text, since, by);
  }
}
