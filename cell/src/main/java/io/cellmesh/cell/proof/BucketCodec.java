package io.cellmesh.cell.proof;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Optional;

/** How a {@link Bucket} stands in {@code trips.checkpoint}: a JSON object. */
public final class BucketCodec {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private BucketCodec() {}

  /** Writes a bucket that has its blocks. */
  public static byte[] write(Bucket bucket) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("count", bucket.count());
    fields.put("digest", bucket.digest());
    fields.put("last", bucket.last());
    fields.put("complete", bucket.complete());
    fields.put("from", bucket.from());
    fields.put("repeats", bucket.repeats());
    fields.put("inverted", bucket.inverted());
    if (bucket.inverted() > 0) {
      fields.put("first_inverted", bucket.firstInverted());
    }
    fields.put("first_offset", bucket.firstOffset());
    fields.put("last_offset", bucket.lastOffset());
    fields.put("at", bucket.at());
    fields.put("blocks", Base64.getEncoder().encodeToString(bucket.blocks()));
    fields.put("ages", Base64.getEncoder().encodeToString(bucket.ages()));
    try {
      return MAPPER.writeValueAsBytes(fields);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the bucket of a key; empty if the value is none. */
  public static Optional<Bucket> read(BucketKey key, byte[] value) {
    try {
      var fields = MAPPER.readTree(value);
      if (!fields.path("blocks").isTextual()) {
        return Optional.empty();
      }
      var told =
          new Bucket.Told(
              number(fields, "last"),
              fields.path("complete").asBoolean(),
              number(fields, "repeats"),
              number(fields, "inverted"),
              fields.path("first_inverted").asLong(Bucket.NONE),
              number(fields, "last_offset"),
              number(fields, "at"));
      var blocks = Base64.getDecoder().decode(fields.path("blocks").asText());
      var ages = Base64.getDecoder().decode(fields.path("ages").asText());
      return Optional.of(
          new Bucket(key.number(), number(fields, "from"), number(fields, "first_offset"))
              .restore(told, blocks, ages));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static long number(JsonNode fields, String name) {
    return fields.path(name).asLong();
  }
}
