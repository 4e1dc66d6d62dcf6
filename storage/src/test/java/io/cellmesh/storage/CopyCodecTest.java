package io.cellmesh.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Origin;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CopyCodecTest {

  @Test
  void a_copy_gives_every_cell_back_with_its_offset_origin_and_body() throws Exception {
    var own =
        new OffsetCell(
            7,
            3,
            new Cell(
                new CellKey(UUID.randomUUID(), "BASE", -1),
                Body.ofJson("{\"a\":1}"),
                Optional.empty()));
    var foreign =
        new OffsetCell(
            9,
            3,
            new Cell(
                new CellKey(UUID.randomUUID(), "😀".repeat(64), Long.MAX_VALUE),
                Body.ofJson("\"" + "x".repeat(100_000) + "\""),
                Optional.of(new Origin("dc2", 812))));
    var decoded = CopyCodec.decode(CopyCodec.encode(List.of(own, foreign)));
    assertThat(decoded).extracting(OffsetCell::offset).containsExactly(7L, 9L);
    assertThat(decoded)
        .extracting(c -> c.cell().key())
        .containsExactly(own.cell().key(), foreign.cell().key());
    assertThat(decoded.get(1).cell().origin()).contains(new Origin("dc2", 812));
    assertThat(decoded.get(0).cell().body().sameAs(own.cell().body())).isTrue();
    assertThat(decoded.get(1).cell().body().sameAs(foreign.cell().body())).isTrue();
  }

  @Test
  void a_copy_that_was_cut_or_is_of_another_version_is_refused() throws Exception {
    var cell = new Cell(new CellKey(UUID.randomUUID(), "B", 1), Body.ofJson("1"), Optional.empty());
    var encoded = CopyCodec.encode(List.of(new OffsetCell(1, 3, cell)));
    assertThatThrownBy(() -> CopyCodec.decode(Arrays.copyOf(encoded, 20)))
        .isInstanceOf(IllegalStateException.class);
    encoded[0] = 9;
    assertThatThrownBy(() -> CopyCodec.decode(encoded)).hasMessageContaining("version");
  }
}
