package io.cellmesh.cell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RowKeysTest {
  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  @Test
  void exactly_the_36_lower_case_characters_of_a_uuid_are_a_row_key() {
    var random = new Random(5);
    for (int i = 0; i < 20_000; i++) {
      var uuid = new UUID(random.nextLong(), random.nextLong());
      assertThat(RowKeys.parse(uuid.toString())).isEqualTo(uuid);
      var changed = new StringBuilder(uuid.toString());
      changed.setCharAt(random.nextInt(36), "-09afgAFG/:`é\u0661".charAt(random.nextInt(14)));
      assertThat(RowKeys.parse(changed.toString()) != null)
          .as("%s", changed)
          .isEqualTo(UUID_TEXT.matcher(changed).matches());
    }
    assertThat(RowKeys.parse("")).isNull();
    assertThat(RowKeys.parse("6f9619ff-8b86-d011-b42d-00cf4fc964f")).isNull();
    assertThat(RowKeys.parse("6f9619ff-8b86-d011-b42d-00cf4fc964ff0")).isNull();
  }

  @Test
  void a_record_key_is_the_text_of_the_row_key_or_not() {
    var text = "6f9619ff-8b86-d011-b42d-00cf4fc964ff";
    assertThat(RowKeys.same(text.getBytes(UTF_8), text)).isTrue();
    assertThat(RowKeys.same((text + "0").getBytes(UTF_8), text)).isFalse();
    assertThat(RowKeys.same(text.toUpperCase().getBytes(UTF_8), text)).isFalse();
    assertThat(RowKeys.same(new byte[36], text)).isFalse();
  }
}
