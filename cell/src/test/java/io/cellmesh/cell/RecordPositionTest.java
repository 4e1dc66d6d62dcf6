package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordPositionTest {
  @Test
  void the_text_is_read_back() {
    var position = new RecordPosition("dc1", "a-Z_0123", 15, 123_456_789_012L);

    assertThat(position).hasToString("dc1:a-Z_0123:15:123456789012");
    assertThat(RecordPosition.parse(position.toString())).contains(position);
  }

  @Test
  void a_topics_id_stands_there_as_kafka_writes_it() {
    // What org.apache.kafka.common.Uuid says of the same 128 bits.
    var id = UUID.fromString("fb7a1dc2-9e40-4d1c-8f5e-3b2a60ff7e11");

    assertThat(RecordPosition.of("dc1", id, 3, 812)).hasToString("dc1:-3odwp5A:3:812");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "dc1:abcdefgh:1",
        "dc1:abcdefgh:1:2:3",
        "dc1:abcdefg:1:2",
        "DC1:abcdefgh:1:2",
        "dc1:abcdefgh:-1:2",
        "dc1:abcdefgh:1:9999999999999999999",
        "dc1:abcdefgh:9999999999:1",
        "dc1:abcd:fgh:1:2",
        " dc1:abcdefgh:1:2"
      })
  void what_is_none_is_not_read(String text) {
    assertThat(RecordPosition.parse(text)).isEmpty();
  }
}
