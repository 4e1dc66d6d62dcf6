package io.cellmesh.cell;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;

/** Writes inflated MessagePack as JSON; the inverse of {@link BodyReader}. */
final class BodyWriter {
  private BodyWriter() {}

  /**
   * @throws IllegalStateException if the bytes are not what {@link BodyReader} wrote
   */
  static void write(byte[] msgpack, JsonGenerator out) throws IOException {
    try (var in = MessagePack.newDefaultUnpacker(msgpack)) {
      value(in, out);
    } catch (MessagePackException e) {
      throw new IllegalStateException("a stored body is damaged: " + e.getMessage(), e);
    }
  }

  private static void value(MessageUnpacker in, JsonGenerator out) throws IOException {
    switch (in.getNextFormat().getValueType()) {
      case MAP -> {
        out.writeStartObject();
        for (int left = in.unpackMapHeader(); left > 0; left--) {
          out.writeFieldName(in.unpackString());
          value(in, out);
        }
        out.writeEndObject();
      }
      case ARRAY -> {
        out.writeStartArray();
        for (int left = in.unpackArrayHeader(); left > 0; left--) {
          value(in, out);
        }
        out.writeEndArray();
      }
      case STRING -> out.writeString(in.unpackString());
      case INTEGER -> out.writeNumber(in.unpackLong());
      case FLOAT -> out.writeNumber(in.unpackDouble());
      case BOOLEAN -> out.writeBoolean(in.unpackBoolean());
      case NIL -> {
        in.unpackNil();
        out.writeNull();
      }
      case EXTENSION -> out.writeNumber(exact(in));
      default -> throw new IllegalStateException("a stored body has an unknown type");
    }
  }

  private static String exact(MessageUnpacker in) throws IOException {
    var header = in.unpackExtensionTypeHeader();
    if (header.getType() != MsgpackBuffer.EXACT) {
      throw new IllegalStateException(
          "a stored body has the unknown extension " + header.getType());
    }
    return new String(in.readPayload(header.getLength()), StandardCharsets.US_ASCII);
  }
}
