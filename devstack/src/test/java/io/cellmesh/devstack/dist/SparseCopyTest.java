package io.cellmesh.devstack.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparseCopyTest {
  private static final int CHUNK = 1 << 16;

  @TempDir Path dir;

  @Test
  void aCopyHasTheSameBytesWhereverTheZerosAre() throws Exception {
    var from = Files.createDirectories(dir.resolve("from/sub"));
    var random = new Random(7);
    var full = new byte[3 * CHUNK + 17];
    random.nextBytes(full);
    var holes = new byte[5 * CHUNK];
    holes[2 * CHUNK] = 1;
    Files.write(from.resolve("full"), full);
    Files.write(from.resolve("holes"), holes);
    Files.write(from.resolve("zeros"), new byte[CHUNK + 5]);
    Files.write(from.resolve("empty"), new byte[0]);
    Files.write(from.resolve("unwanted"), full);

    SparseCopy.directory(dir.resolve("from"), dir.resolve("to"), n -> !n.equals("unwanted"));

    var to = dir.resolve("to/sub");
    for (var name : new String[] {"full", "holes", "zeros", "empty"}) {
      assertThat(to.resolve(name)).hasSameBinaryContentAs(from.resolve(name));
    }
    assertThat(to.resolve("unwanted")).doesNotExist();
  }
}
