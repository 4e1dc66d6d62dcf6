package io.cellmesh.cell.proof;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How far a partition of a topic has been folded. It is written in one transaction with the buckets
 * that are of that place, so that whoever goes on there counts nothing twice and skips nothing.
 *
 * @param topic Kafka's id of the topic, which is another once that was made again
 * @param next the offset of the record to fold next
 * @param end the offset behind the last record, when this was written
 * @param whole whether nothing had expired before it was folded
 * @param cutAt when records had expired last before they were folded, in milliseconds since 1970; 0
 *     if none ever had while it was folded
 * @param cutTo the offset behind the last record that had expired before it was folded; 0 if none
 *     ever had
 * @param damaged records that are no cells, or lie in the wrong partition
 * @param at when this was written, in milliseconds since 1970
 */
public record FoldPlace(
    FoldSource source,
    int partition,
    String topic,
    long next,
    long end,
    boolean whole,
    long cutAt,
    long cutTo,
    long damaged,
    long at) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern KEY = Pattern.compile("([a-z]+)\\|place\\|(\\d{1,9})");

  /** The key in {@code trips.checkpoint}: {@code mesh|place|7}. */
  public String key() {
    return "%s|place|%d".formatted(source.text(), partition);
  }

  /** Writes the value. */
  public byte[] value() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("topic", topic);
    fields.put("next", next);
    fields.put("end", end);
    fields.put("whole", whole);
    fields.put("cut_at", cutAt);
    fields.put("cut_to", cutTo);
    fields.put("damaged", damaged);
    fields.put("at", at);
    try {
      return MAPPER.writeValueAsBytes(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reads a record of {@code trips.checkpoint}; empty if it tells something else. */
  public static Optional<FoldPlace> read(String key, byte[] value) {
    var named = KEY.matcher(key);
    if (!named.matches() || value == null) {
      return Optional.empty();
    }
    try {
      var fields = MAPPER.readTree(value);
      return FoldSource.of(named.group(1))
          .map(
              source ->
                  new FoldPlace(
                      source,
                      Integer.parseInt(named.group(2)),
                      fields.path("topic").asText(),
                      fields.path("next").asLong(),
                      fields.path("end").asLong(),
                      fields.path("whole").asBoolean(),
                      fields.path("cut_at").asLong(),
                      fields.path("cut_to").asLong(),
                      fields.path("damaged").asLong(),
                      fields.path("at").asLong()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
