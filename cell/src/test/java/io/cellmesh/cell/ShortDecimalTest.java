package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ShortDecimalTest {

  @Test
  void every_short_decimal_is_the_double_that_the_jdk_parses() {
    var random = new Random(41);
    for (int i = 0; i < 300_000; i++) {
      var sign = random.nextBoolean() ? "-" : "";
      int digits = 2 + random.nextInt(14 - sign.length());
      int whole = 1 + random.nextInt(digits - 1);
      var text = new StringBuilder(sign);
      for (int d = 0; d < digits; d++) {
        text.append(d == whole ? "." : "").append(random.nextInt(4) == 0 ? 0 : random.nextInt(10));
      }
      assertThat(Double.doubleToRawLongBits(parse(text.toString())))
          .as("%s", text)
          .isEqualTo(Double.doubleToRawLongBits(Double.parseDouble(text.toString())));
    }
  }

  @Test
  void the_longest_and_the_zeroes_are_exact_too() {
    for (var text :
        new String[] {"0.0", "-0.0", "9.99999999999999", "0.00000000000001", "-9999999999999.9"}) {
      assertThat(parse(text)).isEqualTo(Double.valueOf(text));
    }
  }

  @Test
  void exponents_are_left_to_others() {
    assertThat(parse("1.5e3")).isNaN();
    assertThat(parse("1E3")).isNaN();
  }

  private static double parse(String text) {
    return ShortDecimal.parse(("x" + text).toCharArray(), 1, text.length());
  }
}
