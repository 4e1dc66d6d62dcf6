package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStateTest {
  @TempDir private Path dir;

  @Test
  void whatIsRemovedIsGoneAndTheOthersStay() throws IOException {
    var state = new LocalState(dir, "trips-index-");
    Files.createDirectories(state.of("p1").resolve("0_0/rocksdb"));
    Files.createFile(state.of("p1").resolve("0_0/rocksdb/CURRENT"));
    Files.createDirectories(state.of("p2"));

    assertThat(state.remove("p1")).isTrue();
    assertThat(state.remove("p1")).isFalse();
    assertThat(state.passes()).containsExactly("p2");
  }

  /** As it is after another user has run it here. Root may read everything. */
  @Test
  void whatCanNotBeReadIsAFailureThatOnePassSays() throws IOException {
    var state = new LocalState(dir, "trips-index-");
    var foreign = Files.createDirectories(state.of("p1").resolve("0_0"));
    Files.setPosixFilePermissions(foreign, PosixFilePermissions.fromString("---------"));
    try {
      assumeFalse(Files.isReadable(foreign), "root may read everything");

      assertThatThrownBy(() -> state.remove("p1")).isInstanceOf(IOException.class);
    } finally {
      Files.setPosixFilePermissions(foreign, PosixFilePermissions.fromString("rwx------"));
    }
  }
}
