package io.cellmesh.devstack;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The JVM's class data sharing for brokers, Connect workers and applications: an archive of the
 * classes that they load, which halves the processor time of their start. It is written once, out
 * of a process that has run for a while, and lies beside the jars that it was made from. Without
 * one everything works as well, only later.
 */
final class ClassArchive {
  private static final Logger LOG = LoggerFactory.getLogger(ClassArchive.class);

  private final String kind;
  private final Path jars;

  /**
   * @param kind what runs: others load other classes
   * @param jars its class path: a directory of jars, or one of its jars, which names the others
   */
  ClassArchive(String kind, Path jars) {
    this.kind = kind;
    this.jars = jars;
  }

  /** Puts the archive to use, if there is one for these very jars and this JVM. */
  List<String> flags() {
    try {
      var file = file();
      return Files.exists(file) ? List.of("-XX:SharedArchiveFile=" + file) : List.of();
    } catch (IOException e) {
      LOG.debug("no class archive", e);
      return List.of();
    }
  }

  /**
   * Writes the archive out of a running process, unless there is one or another stack, of whatever
   * process, is writing it: that takes seconds of a processor.
   */
  void writeFrom(long pid) {
    try {
      var file = file();
      Files.createDirectories(file.getParent());
      try (var channel = FileChannel.open(claim(file), CREATE, WRITE);
          var claimed = channel.tryLock()) {
        if (claimed != null && !Files.exists(file)) {
          write(pid, file);
        }
      }
    } catch (OverlappingFileLockException e) {
      LOG.debug("a stack of this process is writing the class archive", e);
    } catch (IOException e) {
      LOG.debug("no class archive could be written", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(long pid, Path file) throws IOException, InterruptedException {
    var unfinished = file.resolveSibling(file.getFileName() + "." + pid + ".tmp");
    deleteEarlier(file.getParent());
    if (dump(pid, unfinished)) {
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }
    Files.deleteIfExists(unfinished);
  }

  /** Locked by whoever writes the archive; a process that dies lets go of it. */
  static Path claim(Path file) {
    return file.resolveSibling(file.getFileName() + ".claim");
  }

  private static boolean dump(long pid, Path file) throws IOException, InterruptedException {
    var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    var command =
        List.of(jcmd.toString(), Long.toString(pid), "VM.cds", "static_dump", file.toString());
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.DISCARD)
            .start();
    return process.waitFor() == 0 && Files.exists(file);
  }

  private void deleteEarlier(Path dir) throws IOException {
    try (var earlier = Files.newDirectoryStream(dir, kind + "-*.jsa")) {
      for (var file : earlier) {
        Files.delete(file);
      }
    }
  }

  /** Named after all that the JVM compares before it accepts an archive. */
  Path file() throws IOException {
    var text = new StringBuilder(System.getProperty("java.vm.version"));
    text.append(System.getProperty("java.home")).append(jars);
    var dir = Files.isDirectory(jars) ? jars : jars.getParent();
    try (var files = Files.list(dir)) {
      for (var jar : files.sorted().toList()) {
        text.append(jar).append(Files.size(jar)).append(Files.getLastModifiedTime(jar));
      }
    }
    var sum = new CRC32();
    sum.update(text.toString().getBytes(StandardCharsets.UTF_8));
    var name = kind + "-" + HexFormat.of().toHexDigits(sum.getValue(), 8) + ".jsa";
    return dir.resolveSibling("class-archives").resolve(name);
  }
}
