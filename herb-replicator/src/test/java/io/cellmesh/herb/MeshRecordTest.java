package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MeshRecordTest {

  @Test
  void whatIsNotThePlaceIsCopiedToTheByte() {
    var mesh =
        MeshRecord.of(
            bytes(
                """
                { "row_key" : "r", "shard":3 , "column_name":"B\\u0041SE","body": {"a" : [1.50, "\\n x"], "shard":9},
                  "ref_key":-1, "origin":"dc2","added_id":5,"origin_id":812,"created_at":"2026-01-31T12:00:00.123456Z" }"""));
    assertThat(new String(mesh.value(), StandardCharsets.UTF_8))
        .isEqualTo(
            """
            {"row_key" : "r","column_name":"B\\u0041SE","body": {"a" : [1.50, "\\n x"], "shard":9},"ref_key":-1,"origin":"dc2","origin_id":812}""");
    assertThat(mesh.column()).isEqualTo("BASE");
    assertThat(mesh.origin()).isEqualTo("dc2");
    assertThat(mesh.originId()).isEqualTo(812);
    assertThat(mesh.shard()).isEqualTo(3);
  }

  @Test
  void charactersOfSeveralBytesDoNotShiftTheCut() {
    var head =
        "{\"row_key\":\"r\",\"column_name\":\"é€😀\",\"body\":\"é€😀\",\"origin\":\"dc2\",\"origin_id\":1";
    var mesh = MeshRecord.of(bytes(head + ",\"shard\":3}"));
    assertThat(new String(mesh.value(), StandardCharsets.UTF_8)).isEqualTo(head + "}");
  }

  @Test
  void everyKindOfBodyIsCopied() {
    for (var body :
        new String[] {"1", "-0.5e3", "true", "false", "null", "\"\"", "[]", "{}", "[[{}]]"}) {
      var head =
          "{\"row_key\":\"r\",\"column_name\":\"c\",\"body\":%s,\"origin\":\"d\",\"origin_id\":1"
              .formatted(body);
      assertThat(
              new String(
                  MeshRecord.of(bytes(head + ",\"shard\":3}")).value(), StandardCharsets.UTF_8))
          .isEqualTo(head + "}");
    }
  }

  @Test
  void damageIsNamed() {
    assertThatThrownBy(() -> MeshRecord.of(null)).hasMessage("its value is null");
    assertThatThrownBy(() -> MeshRecord.of(bytes("[]"))).hasMessage("not a JSON object");
    assertThatThrownBy(() -> MeshRecord.of(bytes("{\"a\":"))).hasMessage("not JSON");
    assertThatThrownBy(() -> MeshRecord.of(bytes("{\"a\":1}"))).hasMessageContaining("is missing");
    assertThatThrownBy(() -> MeshRecord.of(bytes("{} {}")))
        .hasMessage("something follows the JSON object");
  }

  private static byte[] bytes(String json) {
    return json.getBytes(StandardCharsets.UTF_8);
  }
}
