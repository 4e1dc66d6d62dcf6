package io.cellmesh.storage;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Origin;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The cells of a copy as one value: a version byte, then each cell with its offset, shard, key,
 * origin and its body in the stored form, which is compressed already.
 */
final class CopyCodec {
  private static final byte VERSION = 1;

  private CopyCodec() {}

  static byte[] encode(List<OffsetCell> cells) {
    var bytes = new ByteArrayOutputStream(64 + cells.size() * 256);
    try (var out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeInt(cells.size());
      for (var entry : cells) {
        out.writeLong(entry.offset());
        out.writeInt(entry.shard());
        write(entry.cell(), out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * @throws IllegalStateException if the value is not what {@link #encode} wrote
   */
  static List<OffsetCell> decode(byte[] batch) {
    try (var in = new DataInputStream(new ByteArrayInputStream(batch))) {
      if (in.readByte() != VERSION) {
        throw new IllegalStateException("a copy in the buffer has an unknown version");
      }
      int count = in.readInt();
      var cells = new ArrayList<OffsetCell>(count);
      for (int i = 0; i < count; i++) {
        cells.add(new OffsetCell(in.readLong(), in.readInt(), read(in)));
      }
      return cells;
    } catch (IOException e) {
      throw new IllegalStateException("a copy in the buffer is damaged", e);
    }
  }

  private static void write(Cell cell, DataOutputStream out) throws IOException {
    var key = cell.key();
    out.writeLong(key.rowKey().getMostSignificantBits());
    out.writeLong(key.rowKey().getLeastSignificantBits());
    text(key.columnName(), out);
    out.writeLong(key.refKey());
    text(cell.origin().map(Origin::datacenter).orElse(""), out);
    out.writeLong(cell.origin().map(Origin::id).orElse(0L));
    out.writeInt(cell.body().stored().length);
    out.write(cell.body().stored());
  }

  private static Cell read(DataInputStream in) throws IOException {
    var rowKey = new UUID(in.readLong(), in.readLong());
    var column = text(in);
    long refKey = in.readLong();
    var datacenter = text(in);
    long originId = in.readLong();
    var body = Body.ofStored(bytes(in, in.readInt()));
    var origin =
        datacenter.isEmpty()
            ? Optional.<Origin>empty()
            : Optional.of(new Origin(datacenter, originId));
    return new Cell(new CellKey(rowKey, column, refKey), body, origin);
  }

  private static void text(String text, DataOutputStream out) throws IOException {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeShort(bytes.length);
    out.write(bytes);
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(bytes(in, in.readUnsignedShort()), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(DataInputStream in, int length) throws IOException {
    if (length < 0 || length > in.available()) {
      throw new IllegalStateException("a copy in the buffer is damaged");
    }
    return in.readNBytes(length);
  }
}
