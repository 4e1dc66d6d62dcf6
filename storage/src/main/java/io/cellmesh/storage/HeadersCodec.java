package io.cellmesh.storage;

import io.cellmesh.storage.RefusedRecord.Header;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The headers of a record as one value: a version byte and their number, then each with the lengths
 * of its name (UTF-8) and of its value, -1 standing for none.
 */
final class HeadersCodec {
  private static final byte VERSION = 1;
  private static final int NONE = -1;

  private HeadersCodec() {}

  static byte[] encode(List<Header> headers) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeInt(headers.size());
      for (var header : headers) {
        write(header.name().getBytes(StandardCharsets.UTF_8), out);
        write(header.value(), out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * @throws IllegalStateException if the value is not what {@link #encode} wrote
   */
  static List<Header> decode(byte[] encoded) {
    try (var in = new DataInputStream(new ByteArrayInputStream(encoded))) {
      if (in.readByte() != VERSION) {
        throw new IllegalStateException("the headers of a refused record have an unknown version");
      }
      int count = in.readInt();
      var headers = new ArrayList<Header>();
      for (int i = 0; i < count; i++) {
        headers.add(new Header(new String(read(in), StandardCharsets.UTF_8), read(in)));
      }
      return headers;
    } catch (IOException e) {
      throw new IllegalStateException("the headers of a refused record are damaged", e);
    }
  }

  private static void write(byte[] value, DataOutputStream out) throws IOException {
    out.writeInt(value == null ? NONE : value.length);
    if (value != null) {
      out.write(value);
    }
  }

  private static byte[] read(DataInputStream in) throws IOException {
    int length = in.readInt();
    return length == NONE ? null : in.readNBytes(length);
  }
}
