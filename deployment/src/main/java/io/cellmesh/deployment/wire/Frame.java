package io.cellmesh.deployment.wire;

import com.github.luben.zstd.Zstd;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A length and two checksums around the bytes of a batch. The header has a checksum of its own, so
 * that a length that was changed is noticed at once, and not after waiting for as many bytes.
 *
 * <p>Header, 24 bytes, numbers big-endian: the letters {@code CMB1}; how the content is packed (0
 * as it is, 1 by zstd); three zeros; the content's length as it is sent; its length unpacked; the
 * CRC-32C of the content as it is sent; the CRC-32C of the 20 bytes before.
 */
final class Frame {
  static final int HEADER_BYTES = 24;

  /** Most bytes of a content, packed and unpacked: what a record may have, and room for more. */
  static final int MAX_BYTES = 16 << 20;

  private static final int MAGIC = 0x434D4231;
  private static final int CHECKED_BYTES = HEADER_BYTES - Integer.BYTES;
  private static final byte AS_IT_IS = 0;
  private static final byte ZSTD = 1;
  private static final int LEVEL = 1;

  /** What is shorter gains nothing. */
  private static final int WORTH_PACKING = 256;

  private Frame() {}

  /**
   * Packs a content.
   *
   * @throws IllegalArgumentException if it has more than {@value #MAX_BYTES} bytes
   */
  static byte[] of(byte[] content) {
    if (content.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "a batch of %d bytes; at most %d go into one".formatted(content.length, MAX_BYTES));
    }
    var packed = content.length < WORTH_PACKING ? content : Zstd.compress(content, LEVEL);
    boolean worth = packed.length < content.length;
    var sent = worth ? packed : content;
    var frame =
        ByteBuffer.allocate(HEADER_BYTES + sent.length)
            .putInt(MAGIC)
            .put(worth ? ZSTD : AS_IT_IS)
            .put(new byte[3])
            .putInt(sent.length)
            .putInt(content.length)
            .putInt(crc(sent, sent.length));
    frame.putInt(crc(frame.array(), CHECKED_BYTES)).put(sent);
    return frame.array();
  }

  /**
   * Reads the next content.
   *
   * @return empty if the stream ends before it
   * @throws EOFException if the stream ends within it
   * @throws DamagedBatchException if a byte is another one than was sent
   */
  static Optional<byte[]> read(DataInputStream in) throws IOException {
    var header = new byte[HEADER_BYTES];
    int first = in.read();
    if (first < 0) {
      return Optional.empty();
    }
    header[0] = (byte) first;
    in.readFully(header, 1, HEADER_BYTES - 1);
    var fields = ByteBuffer.wrap(header);
    if (fields.getInt(CHECKED_BYTES) != crc(header, CHECKED_BYTES)) {
      throw new DamagedBatchException("the checksum of a batch's header is wrong");
    }
    if (fields.getInt() != MAGIC) {
      throw new DamagedBatchException("what comes is no batch");
    }
    int packing = fields.getInt() >>> 24;
    int length = bounded(fields.getInt());
    int unpacked = bounded(fields.getInt());
    int sum = fields.getInt();
    var sent = new byte[length];
    in.readFully(sent);
    if (sum != crc(sent, length)) {
      throw new DamagedBatchException("the checksum of a batch is wrong");
    }
    return Optional.of(unpacked(packing, sent, unpacked));
  }

  private static byte[] unpacked(int packing, byte[] sent, int length) throws IOException {
    if (packing == AS_IT_IS && sent.length == length) {
      return sent;
    }
    if (packing != ZSTD) {
      throw new DamagedBatchException("a batch is packed in a way that is not known: " + packing);
    }
    var content = new byte[length];
    long found = Zstd.decompressByteArray(content, 0, length, sent, 0, sent.length);
    if (Zstd.isError(found) || found != length) {
      throw new DamagedBatchException("a batch can't be unpacked");
    }
    return content;
  }

  private static int bounded(int length) throws DamagedBatchException {
    if (length < 0 || length > MAX_BYTES) {
      throw new DamagedBatchException(
          "a batch of %d bytes; at most %d go into one"
              .formatted(Integer.toUnsignedLong(length), MAX_BYTES));
    }
    return length;
  }

  private static int crc(byte[] bytes, int length) {
    var crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
