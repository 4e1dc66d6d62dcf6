package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs root, and a kernel that mounts. */
class DiskIT {
  @TempDir private Path dir;

  @BeforeEach
  void disks_can_be_made_here() {
    var missing = Disk.missing();
    assumeTrue(missing.isEmpty(), missing.orElse(""));
  }

  @AfterEach
  void nothing_stays_mounted() throws IOException {
    Disk.unmountBelow(dir);
    assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(dir.toString());
  }

  @Test
  void a_full_disk_takes_nothing_until_it_is_freed() throws IOException {
    var disk = Disk.mount(dir.resolve("a server"), 16);
    var file = disk.directory().resolve("file");
    Files.write(file, new byte[100_000]);

    disk.fill();
    assertThatThrownBy(() -> Files.write(disk.directory().resolve("more"), new byte[8192]))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No space left");
    assertThat(file).hasSize(100_000);

    disk.free();
    Files.write(disk.directory().resolve("more"), new byte[8192]);
  }

  @Test
  void what_was_reserved_can_be_written_on_a_full_disk() throws IOException {
    var disk = Disk.mount(dir.resolve("server"), 16);
    var file = disk.directory().resolve("file");
    try (var holes = new RandomAccessFile(file.toFile(), "rw")) {
      holes.setLength(1 << 20);
      disk.reserve(disk.directory());
      disk.fill();

      holes.write(new byte[1 << 20]);
      holes.getFD().sync();
    }
  }
}
