package io.cellmesh.storage.index;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * The place of an entry in a query's order, where the next page begins. It stays right whatever
 * comes and goes meanwhile, the entry itself included.
 *
 * <p>It is one place in the order of all entries, and so one in those of each value of the shard
 * field; how many values a query has does not make it longer.
 *
 * @param values the canonical texts of the fields to order by; null where the entry has none
 * @param shardValue that the entry is under, of a query for several; else empty
 */
record IndexCursor(List<String> values, UUID rowKey, Optional<String> shardValue) {
  private static final int OF_ONE_VALUE = 1;
  private static final int OF_SEVERAL = 2;

  IndexCursor {
    values = Collections.unmodifiableList(new ArrayList<>(values));
    Objects.requireNonNull(rowKey, "rowKey");
    Objects.requireNonNull(shardValue, "shardValue");
  }

  /** Whether an entry with the same values and row_key, but under another value, is behind. */
  boolean isBefore(String otherShardValue) {
    return shardValue.filter(value -> value.compareTo(otherShardValue) < 0).isPresent();
  }

  /** Tells queries apart: their cursors don't fit each other. */
  static long digest(List<String> query) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      for (var text : query) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
      }
      return new DataInputStream(new ByteArrayInputStream(digest.digest())).readLong();
    } catch (NoSuchAlgorithmException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The text that a client carries, of letters, digits, - and _. */
  String text(long digest) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      out.writeByte(shardValue.isPresent() ? OF_SEVERAL : OF_ONE_VALUE);
      out.writeLong(digest);
      out.writeLong(rowKey.getMostSignificantBits());
      out.writeLong(rowKey.getLeastSignificantBits());
      for (var value : values) {
        out.writeBoolean(value != null);
        if (value != null) {
          out.writeUTF(value);
        }
      }
      if (shardValue.isPresent()) {
        out.writeUTF(shardValue.get());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
  }

  /**
   * @param digest of the query that is to go on
   * @param several whether that has several values of the shard field
   * @throws IndexQueryException if the text is no cursor, or one of another query
   */
  static IndexCursor parse(String text, long digest, IndexOrder order, boolean several) {
    try (var in = new DataInputStream(new ByteArrayInputStream(decode(text)))) {
      int form = in.readByte();
      if (form != OF_ONE_VALUE && form != OF_SEVERAL) {
        throw none(text);
      }
      if (in.readLong() != digest) {
        throw new IndexQueryException(
            "after: \"%s\" is the cursor of another query; index, conditions and order must be the same"
                .formatted(IndexFields.shortened(text)));
      }
      var rowKey = new UUID(in.readLong(), in.readLong());
      var values = new ArrayList<String>();
      for (var key : order.keys()) {
        values.add(in.readBoolean() ? IndexFields.canonical(key.field(), in.readUTF()) : null);
      }
      var shardValue = several ? Optional.of(in.readUTF()) : Optional.<String>empty();
      if (in.read() != -1) {
        throw none(text);
      }
      return new IndexCursor(values, rowKey, shardValue);
    } catch (IOException e) {
      throw none(text);
    }
  }

  private static byte[] decode(String text) {
    try {
      return Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw none(text);
    }
  }

  private static IndexQueryException none(String text) {
    return new IndexQueryException(
        "after: \"%s\" is not a cursor that a query gave".formatted(IndexFields.shortened(text)));
  }
}
