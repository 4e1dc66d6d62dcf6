package io.cellmesh.herb;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.cellmesh.cell.EnvelopeJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Set;

/**
 * A record of the log made ready for the mesh: the same JSON without its place in the log it came
 * from. The bytes of everything else, the body above all, are copied as they are.
 *
 * @param rowKey the row_key as the envelope has it
 * @param column the column_name
 * @param origin where the cell was first written
 * @param originId its added_id there
 * @param addedId the place in the shard of the log that it came from; 0 if it says none
 * @param shard the shard as the envelope has it
 * @param value the envelope for the mesh
 */
record MeshRecord(
    String rowKey,
    String column,
    String origin,
    long originId,
    long addedId,
    int shard,
    byte[] value) {
  private static final Set<String> PLACE = Set.of("shard", "added_id", "created_at");
  private static final JsonFactory JSON = EnvelopeJson.factory().build();

  /** Each factory draws a seed of its own. */
  private static final int SEEDS = 10;

  /**
   * @throws CorruptLogException if the bytes are no record of a log
   */
  static MeshRecord of(byte[] log) {
    if (log == null) {
      throw new CorruptLogException("its value is null");
    }
    for (int attempt = 1; ; attempt++) {
      try {
        return read(log, attempt == 1 ? JSON : EnvelopeJson.factory().build());
      } catch (IndexOutOfBoundsException e) {
        // Names that collide in Jackson's table overflow it with some of its random seeds.
        if (attempt == SEEDS) {
          throw new CorruptLogException("its names can't be told apart");
        }
      }
    }
  }

  private static MeshRecord read(byte[] log, JsonFactory factory) {
    try (var parser = factory.createParser(log)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new CorruptLogException("not a JSON object");
      }
      return new Rewriting(log).run(parser);
    } catch (IOException e) {
      throw new CorruptLogException("not JSON");
    }
  }

  /** One pass over the members of the envelope. */
  private static final class Rewriting {
    private final byte[] log;
    private final ByteArrayOutputStream kept;
    private String rowKey;
    private String column;
    private String origin;
    private Long originId;
    private long addedId;
    private Long shard;

    Rewriting(byte[] log) {
      this.log = log;
      this.kept = new ByteArrayOutputStream(log.length);
    }

    MeshRecord run(JsonParser parser) throws IOException {
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        int start = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
        var name = parser.currentName();
        parser.nextToken();
        member(name, parser);
        parser.skipChildren();
        parser.finishToken();
        int end = Math.toIntExact(parser.currentLocation().getByteOffset());
        if (!PLACE.contains(name)) {
          kept.write(kept.size() == 0 ? '{' : ',');
          kept.write(log, start, end - start);
        }
      }
      kept.write('}');
      if (parser.nextToken() != null) {
        throw new CorruptLogException("something follows the JSON object");
      }
      if (rowKey == null || column == null || origin == null || originId == null || shard == null) {
        throw new CorruptLogException(
            "row_key, column_name, origin, origin_id or shard is missing");
      }
      return new MeshRecord(
          rowKey, column, origin, originId, addedId, Math.toIntExact(shard), kept.toByteArray());
    }

    private void member(String name, JsonParser parser) throws IOException {
      switch (name) {
        case "row_key" -> rowKey = parser.getText();
        case "column_name" -> column = parser.getText();
        case "origin" -> origin = parser.getText();
        case "origin_id" -> originId = parser.getLongValue();
        case "added_id" -> addedId = parser.getLongValue();
        case "shard" -> shard = (long) parser.getIntValue();
        default -> {
          // Copied or left out as it is.
        }
      }
    }
  }
}
