package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.connect.source.InstanceFixture.Place;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Takes in records of the log and remembers what a consumer would care about. */
final class LogReader {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<Place, String> cells = new TreeMap<>();
  private final Map<Integer, Long> last = new HashMap<>();
  private int duplicates;

  /** Fails when a shard's cells, by first occurrence, are not in the order of added_id. */
  void take(byte[] value) throws IOException {
    var cell = JSON.readTree(value);
    var place = new Place(cell.get("shard").asInt(), cell.get("added_id").asLong());
    var key = cell.get("row_key").asText() + "/" + cell.get("ref_key").asLong();
    if (cells.putIfAbsent(place, key) != null) {
      duplicates++;
    } else {
      var before = last.put(place.shard(), place.addedId());
      assertThat(before == null || before < place.addedId())
          .as("%s after %s", place, before)
          .isTrue();
    }
  }

  /** The cell's key by shard and added_id. */
  Map<Place, String> cells() {
    return cells;
  }

  int duplicates() {
    return duplicates;
  }
}
