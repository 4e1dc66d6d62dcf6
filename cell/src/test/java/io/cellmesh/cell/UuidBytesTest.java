package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UuidBytesTest {
  private static final UUID ROW = UUID.fromString("9a0c04e0-4f89-11d3-9a0c-0305e82c3301");

  @Test
  void theyAreTheDigitsAsTheyAreWritten() {
    assertThat(HexFormat.of().formatHex(UuidBytes.of(ROW)))
        .isEqualTo(ROW.toString().replace("-", ""));
    assertThat(UuidBytes.read(UuidBytes.of(ROW))).isEqualTo(ROW);
  }

  @Test
  void aBufferIsReadAndNotMoved() {
    var buffer = ByteBuffer.allocate(20).putInt(7).put(UuidBytes.of(ROW)).position(4);

    assertThat(UuidBytes.read(buffer)).isEqualTo(ROW);
    assertThat(buffer.position()).isEqualTo(4);
  }

  @Test
  void tooFewBytesAreNoUuid() {
    assertThatThrownBy(() -> UuidBytes.read(new byte[15]))
        .isInstanceOf(BufferUnderflowException.class);
  }
}
