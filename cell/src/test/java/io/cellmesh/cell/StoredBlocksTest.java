package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.zip.Inflater;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredBlocksTest {
  private final StoredBlocks blocks = new StoredBlocks();

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 300, 65_535, 65_536, 131_070, 200_000})
  void the_jdk_inflates_what_it_writes_and_finds_its_end(int length) throws Exception {
    var in = new byte[length + 7];
    new Random(length).nextBytes(in);
    var out = new byte[3 + StoredBlocks.size(length)];
    blocks.write(in, length, out, 3);
    var inflater = new Inflater();
    try {
      inflater.setInput(out, 3, out.length - 3);
      var inflated = new byte[length + 1];
      int count = inflater.inflate(inflated);
      assertThat(inflater.finished()).isTrue();
      assertThat(inflater.getRemaining()).isZero();
      assertThat(count).isEqualTo(length);
      assertThat(Arrays.copyOf(inflated, count)).isEqualTo(Arrays.copyOf(in, length));
    } finally {
      inflater.end();
    }
  }
}
