package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CellDigestTest {
  private static final UUID ROW = UUID.fromString("b1f0c8c0-9d3a-4a52-8f5e-3f4c0a1d2e3f");

  private final CellDigest digest = new CellDigest();

  @AfterEach
  void close() {
    digest.close();
  }

  @Test
  void cells_are_the_same_whose_bodies_are_equal_as_json() throws InvalidCellException {
    var written = of(ROW, "BASE", 1, 7, "{\"a\":1.50,\"b\":[1,{\"c\":10}]}");
    assertThat(of(ROW, "BASE", 1, 7, "{ \"b\": [1.0,{\"c\":1e1}], \"a\":1.5 }")).isEqualTo(written);
  }

  @Test
  void whatever_differs_gives_another_digest() throws InvalidCellException {
    var all = new HashSet<Long>();
    var different =
        List.of(
            of(ROW, "BASE", 1, 7, "{\"a\":1}"),
            of(ROW, "BASE", 1, 7, "{\"a\":2}"),
            of(ROW, "BASE", 1, 7, "{\"a\":\"1\"}"),
            of(ROW, "BASE", 1, 8, "{\"a\":1}"),
            of(ROW, "BASE", 2, 7, "{\"a\":1}"),
            of(ROW, "base", 1, 7, "{\"a\":1}"),
            of(new UUID(1, 2), "BASE", 1, 7, "{\"a\":1}"),
            of(ROW, "BASE", 11, 7, "1"),
            of(ROW, "BASE1", 1, 7, "1"),
            of(ROW, "BASE", 1, 71, "1"));
    all.addAll(different);
    assertThat(all).hasSameSizeAs(different);
  }

  /** As a disk may leave them: whoever reads all rows goes on behind such a one. */
  @Test
  void a_body_that_is_damaged_anywhere_is_told_as_such() throws InvalidCellException {
    long seed = System.nanoTime();
    var random = new Random(seed);
    var stored = Body.ofJson("{\"a\":[1,2.5,\"x\",null],\"n\":12345678901234567890}").stored();
    var whole = Inflation.once(stored, 1, Body.MAX_INFLATED);
    var damages = new HashSet<String>();
    for (int i = 0; i < 20_000; i++) {
      var damaged = whole.clone();
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      var body = Body.ofStored(deflated(stored[0], damaged));
      try {
        digest.of(new Cell(new CellKey(ROW, "BASE", 1), body, Optional.of(new Origin("dc2", 7))));
      } catch (RuntimeException e) {
        assertThat(e).as("seed %d", seed).isExactlyInstanceOf(IllegalStateException.class);
        damages.add(e.getMessage());
      }
    }
    assertThat(damages).contains("a stored body is damaged");
  }

  private static byte[] deflated(byte version, byte[] value) {
    var deflater = new Deflater();
    try {
      deflater.setInput(value);
      deflater.finish();
      var stored = new byte[value.length + 64];
      stored[0] = version;
      return Arrays.copyOf(stored, 1 + deflater.deflate(stored, 1, stored.length - 1));
    } finally {
      deflater.end();
    }
  }

  private long of(UUID row, String column, long ref, long id, String body)
      throws InvalidCellException {
    return digest.of(
        new Cell(
            new CellKey(row, column, ref), Body.ofJson(body), Optional.of(new Origin("dc2", id))));
  }
}
