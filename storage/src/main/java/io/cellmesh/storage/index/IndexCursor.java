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
import java.util.UUID;

/**
 * The place of an entry in a query's order, where the next page begins. It stays right whatever
 * comes and goes meanwhile, the entry itself included.
 *
 * @param values the canonical texts of the fields to order by; null where the entry has none
 */
record IndexCursor(List<String> values, UUID rowKey) {
  private static final int FORM = 1;

  IndexCursor {
    values = Collections.unmodifiableList(new ArrayList<>(values));
    Objects.requireNonNull(rowKey, "rowKey");
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
      out.writeByte(FORM);
      out.writeLong(digest);
      out.writeLong(rowKey.getMostSignificantBits());
      out.writeLong(rowKey.getLeastSignificantBits());
      for (var value : values) {
        out.writeBoolean(value != null);
        if (value != null) {
          out.writeUTF(value);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
  }

  /**
   * @param digest of the query that is to go on
   * @throws IndexQueryException if the text is no cursor, or one of another query
   */
  static IndexCursor parse(String text, long digest, IndexOrder order) {
    try (var in = new DataInputStream(new ByteArrayInputStream(decode(text)))) {
      if (in.readByte() != FORM) {
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
      if (in.read() != -1) {
        throw none(text);
      }
      return new IndexCursor(values, rowKey);
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
