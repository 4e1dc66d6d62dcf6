package io.cellmesh.cell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ShortDeflateTest {
  private final ShortDeflate deflate = new ShortDeflate();
  private final Random random = new Random(17);

  @Test
  void inputs_of_every_length_come_back_whether_they_repeat_or_not() {
    for (int length = 0; length < 1500; length++) {
      for (int symbols : new int[] {1, 2, 5, 40, 256}) {
        comesBack(bytes(length, symbols));
      }
    }
  }

  @Test
  void every_length_and_distance_of_a_repetition_comes_back() {
    for (int length = 3; length < 600; length++) {
      var input = bytes(2 * length + 10, 256);
      System.arraycopy(input, 0, input, length + random.nextInt(10), length);
      comesBack(input);
    }
    for (int distance = 3; distance < ShortDeflate.MAX_INPUT; distance += 1 + distance / 7) {
      var input = new byte[Math.min(distance + 20, ShortDeflate.MAX_INPUT)];
      random.nextBytes(input);
      int copied = input.length - distance;
      System.arraycopy(input, 0, input, distance, copied);
      comesBack(input);
    }
  }

  @Test
  void what_was_compressed_before_leaves_no_trace_however_much_it_was() {
    var input = "{\"a\":[1,2,3],\"b\":[1,2,3]}".getBytes(UTF_8);
    var first = compress(input);
    for (int done = 0; done < 40 << 20; done += ShortDeflate.MAX_INPUT) {
      comesBack(bytes(ShortDeflate.MAX_INPUT, 1 + random.nextInt(256)));
    }
    assertThat(compress(input)).isEqualTo(first);
  }

  @Test
  void a_record_takes_about_the_space_that_the_jdks_deflater_needs() throws Exception {
    var make = new SampleCells(5);
    int inflated = 0;
    int stored = 0;
    for (int i = 0; i < 100; i++) {
      var body = Body.ofJson(make.trip()).stored();
      inflated += Inflation.once(body, 1, Body.MAX_INFLATED).length;
      stored += body.length;
    }
    assertThat(stored).isLessThan(inflated * 85 / 100);
  }

  private byte[] bytes(int length, int symbols) {
    var bytes = new byte[length];
    int first = random.nextInt(256);
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (first + random.nextInt(symbols));
    }
    return bytes;
  }

  private void comesBack(byte[] input) {
    var inflated = Inflation.once(compress(input), 0, ShortDeflate.MAX_INPUT);
    if (!Arrays.equals(inflated, input)) {
      assertThat(inflated).isEqualTo(input);
    }
  }

  private byte[] compress(byte[] input) {
    // What lies behind the input and the target must not matter.
    var padded = Arrays.copyOf(input, input.length + random.nextInt(3));
    var target = new byte[ShortDeflate.bound(input.length)];
    random.nextBytes(target);
    int end = deflate.deflate(padded, input.length, target, 0);
    assertThat(end).isLessThanOrEqualTo(target.length);
    return Arrays.copyOf(target, end);
  }
}
