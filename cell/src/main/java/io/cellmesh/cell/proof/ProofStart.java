package io.cellmesh.cell.proof;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Says from which origin_id on the cells of a data centre are compared in a shard. Those before
 * were written by a data centre that had its name and was removed: of them it has what the others
 * still had.
 *
 * @param after the highest origin_id that is not compared
 */
public record ProofStart(int shard, long after) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern KEY = Pattern.compile("log\\|start\\|(\\d{1,9})");
  private static final String AFTER = "after";

  /** The key in {@code trips.checkpoint} of the data centre: {@code log|start|7}. */
  public String key() {
    return "%s|start|%d".formatted(FoldSource.LOG.text(), shard);
  }

  /** Writes the value. */
  public byte[] value() {
    try {
      return MAPPER.writeValueAsBytes(Map.of(AFTER, after));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reads a record of {@code trips.checkpoint}; empty if it tells something else. */
  public static Optional<ProofStart> read(String key, byte[] value) {
    var named = KEY.matcher(key);
    if (!named.matches() || value == null) {
      return Optional.empty();
    }
    try {
      var after = MAPPER.readTree(value).path(AFTER);
      return after.canConvertToLong() && after.isNumber()
          ? Optional.of(new ProofStart(Integer.parseInt(named.group(1)), after.asLong()))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
