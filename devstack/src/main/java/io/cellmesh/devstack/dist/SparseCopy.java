package io.cellmesh.devstack.dist;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Predicate;

/** Copies directories of mostly empty files, leaving holes where there are only zeros. */
public final class SparseCopy {
  private static final int CHUNK = 1 << 16;
  private static final ByteBuffer ZEROS = ByteBuffer.allocate(CHUNK).asReadOnlyBuffer();

  private SparseCopy() {}

  /** Copies a directory and all files below, except for those whose name is not wanted. */
  public static void directory(Path from, Path to, Predicate<String> wanted) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(dir)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isRegularFile() && wanted.test(file.getFileName().toString())) {
              copy(file, to.resolve(from.relativize(file)));
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var in = FileChannel.open(from, StandardOpenOption.READ);
        var out = FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      var chunk = ByteBuffer.allocateDirect(CHUNK);
      long at = 0;
      while (in.read(chunk, at) > 0) {
        chunk.flip();
        int length = chunk.remaining();
        if (!chunk.equals(ZEROS.slice(0, length))) {
          for (long place = at; chunk.hasRemaining(); ) {
            place += out.write(chunk, place);
          }
        }
        at += length;
        chunk.clear();
      }
      long size = in.size();
      if (out.size() < size) {
        out.write(ByteBuffer.allocate(1), size - 1);
      }
    }
    Files.setPosixFilePermissions(to, Files.getPosixFilePermissions(from));
  }
}
