package io.cellmesh.devstack;

import io.cellmesh.connect.client.Waiting;
import io.cellmesh.devstack.dist.Cache;
import io.cellmesh.devstack.dist.OperatingSystem;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A disk of its own for the files of one child, that can be filled: a file system in an image, on a
 * loop mount, as only root has it. The image takes as much of the machine's disk as was written.
 *
 * @param directory where it is mounted
 */
public record Disk(Path directory) {
  /** Beside the directory that it is mounted on. */
  private static final String IMAGE = ".disk";

  private static final String BALLAST = "ballast";
  private static final String REST = "ballast.rest";
  private static final Path MOUNTS = Path.of("/proc/self/mounts");
  private static final int PIECE = 4096;

  /** More than this is not written, since it would take the machine's own room. */
  private static final int REST_BYTES = 64 << 20;

  private static final int PROBE_MIB = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /**
   * What a machine lacks for it, as mounting one shows.
   *
   * @return a reason for a person; empty if it lacks nothing
   */
  public static Optional<String> missing() {
    if (!OperatingSystem.isLinux()) {
      return Optional.of("a disk of its own for a server needs Linux");
    }
    try {
      var probe = Files.createTempDirectory("cellmesh-disk-");
      try {
        mount(probe.resolve("probe"), PROBE_MIB);
        return Optional.empty();
      } finally {
        unmountBelow(probe);
        Cache.delete(probe);
      }
    } catch (IOException e) {
      return Optional.of(
          "a disk of its own for a server needs root and loop mounts: " + e.getMessage());
    }
  }

  /**
   * Makes an empty one and mounts it, unless one is mounted there.
   *
   * @param directory that is made for it
   */
  static Disk mount(Path directory, int sizeMiB) throws IOException {
    var disk = new Disk(directory);
    if (mounts().contains(directory)) {
      return disk;
    }
    Files.createDirectories(directory);
    var image = directory.resolveSibling(directory.getFileName() + IMAGE);
    Files.deleteIfExists(image);
    run("truncate", "-s", sizeMiB + "M", image.toString());
    run("mkfs.ext4", "-q", "-F", "-m", "0", "-i", "65536", "-O", "^has_journal", image.toString());
    run("mount", "-o", "loop,noatime,noinit_itable", image.toString(), directory.toString());
    return disk;
  }

  /** Has all files below take their place now: what is there can be written when it is full. */
  void reserve(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        long size = Files.size(file);
        if (size > 0) {
          run("fallocate", "-l", Long.toString(size), file.toString());
        }
      }
    }
  }

  /** Leaves no room: whoever writes to a file that has to grow is told so (ENOSPC). */
  public void fill() throws IOException {
    long room = Files.getFileStore(directory).getUsableSpace();
    try {
      run("fallocate", "-l", Long.toString(room), directory.resolve(BALLAST).toString());
    } catch (IOException e) {
      // It has taken what there was; the file system's own records took the rest.
    }
    if (Files.getFileStore(directory).getUsableSpace() > REST_BYTES) {
      throw new IOException("no ballast could be made in " + directory);
    }
    try (var rest =
        FileChannel.open(
            directory.resolve(REST), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      while (true) {
        rest.write(ByteBuffer.allocate(PIECE), rest.size());
      }
    } catch (IOException e) {
      if (Files.getFileStore(directory).getUsableSpace() >= PIECE) {
        throw e;
      }
    }
  }

  /** Gives the room back, after {@link #fill}. */
  public void free() throws IOException {
    Files.deleteIfExists(directory.resolve(BALLAST));
    Files.deleteIfExists(directory.resolve(REST));
  }

  /** Unmounts those in a directory; the files of each stay in its image. */
  static void unmountBelow(Path directory) throws IOException {
    for (var mount : mounts()) {
      if (mount.startsWith(directory) && !Waiting.within(PATIENCE, () -> unmounts(mount))) {
        // Whoever still has a file open there loses it with his end.
        run("umount", "-l", mount.toString());
      }
    }
  }

  private static boolean unmounts(Path mount) {
    try {
      run("umount", mount.toString());
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static List<Path> mounts() throws IOException {
    var mounts = new ArrayList<Path>();
    if (Files.isReadable(MOUNTS)) {
      for (var line : Files.readAllLines(MOUNTS)) {
        mounts.add(Path.of(line.split(" ", 3)[1].replace("\\040", " ")));
      }
    }
    return mounts;
  }

  private static void run(String... command) throws IOException {
    try {
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
              .start();
      String said;
      try (var out = process.getInputStream()) {
        said = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
      }
      if (process.waitFor() != 0) {
        throw new IOException(said.lines().findFirst().orElse(command[0] + " failed"));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted in " + command[0], e);
    }
  }
}
