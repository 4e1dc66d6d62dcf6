package io.cellmesh.cell.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainUtcTest {
  @Test
  void whatItReadsIsReadTheSameInTheOtherWay() throws Exception {
    var random = new Random(1);
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      var text = text(random);
      var plain = PlainUtc.canonical(text);
      if (plain != null) {
        read++;
        assertThat(plain).as(text).isEqualTo(FieldValues.formatted("at", text));
      }
    }
    assertThat(read).isBetween(3_000, 17_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2016-01-12T09:00:00",
        "2016-02-29 23:59:59.1",
        "2016-01-12T09:00:00.123456Z",
        "9999-12-31T23:59:59.999999999Z"
      })
  void theUsualSpellingsAreReadByTheirPlaces(String text) throws Exception {
    assertThat(PlainUtc.canonical(text)).isEqualTo(FieldValues.formatted("at", text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Z",
        "2016-01-12",
        "2016-01-12T09:00",
        "2015-02-29T09:00:00",
        "2016-13-01T09:00:00",
        "2016-01-00T09:00:00",
        "2016-01-12T24:00:00",
        "2016-01-12T09:60:00",
        "2016-01-12T09:00:60",
        "0999-01-12T09:00:00",
        "2016-01-12T09:00:00.",
        "2016-01-12T09:00:00.1234567890",
        "2016-01-12T09:00:00+01:00",
        "2016-01-12t09:00:00z",
        "2016-01-12T09:00:0\u0661"
      })
  void anythingElseIsNot(String text) {
    assertThat(PlainUtc.canonical(text)).isNull();
  }

  /** Mostly a time, with a fault here and there. */
  private static String text(Random random) {
    var text =
        new StringBuilder(
            "%04d-%02d-%02d%s%02d:%02d:%02d"
                .formatted(
                    900 + random.nextInt(9100),
                    random.nextInt(13),
                    random.nextInt(32),
                    random.nextBoolean() ? "T" : " ",
                    random.nextInt(25),
                    random.nextInt(60),
                    random.nextInt(61)));
    int digits = random.nextInt(11);
    if (digits > 0) {
      text.append('.');
      random.ints(digits, 0, 10).forEach(d -> text.append(d));
    }
    text.append(List.of("", "", "Z", "Z", "+01:00").get(random.nextInt(5)));
    if (random.nextInt(10) == 0) {
      text.setCharAt(random.nextInt(text.length()), 'x');
    }
    return text.toString();
  }
}
