package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which archive belongs to a program; KafkaAndConnectIT writes some and starts from them. */
class ClassArchiveTest {
  private static final String MAIN = "io.cellmesh.Main";

  @TempDir private Path module;

  private Path jar;

  @BeforeEach
  void build() throws IOException {
    jar = Files.createDirectory(module.resolve("app")).resolve("cellmesh.jar");
    Files.writeString(jar, "classes");
  }

  @Test
  void it_lies_beside_the_directory_of_the_jars_and_is_used_once_it_is_there() throws IOException {
    var archive = new ClassArchive(MAIN, jar);
    assertThat(archive.flags()).isEmpty();

    Files.createDirectory(module.resolve("class-archives"));
    Files.createFile(archive.file());

    assertThat(archive.file().getParent()).isEqualTo(module.resolve("class-archives"));
    assertThat(archive.flags()).containsExactly("-XX:SharedArchiveFile=" + archive.file());
  }

  @Test
  void it_is_of_one_class_path_and_of_jars_that_have_not_changed() throws IOException {
    var file = new ClassArchive(MAIN, jar).file();

    assertThat(new ClassArchive(MAIN, jar.getParent()).file()).isNotEqualTo(file);
    assertThat(new ClassArchive("io.cellmesh.Other", jar).file()).isNotEqualTo(file);
    Files.writeString(jar.resolveSibling("library.jar"), "more");
    assertThat(new ClassArchive(MAIN, jar).file()).isNotEqualTo(file);
  }

  /** Both would write it a minute after they have begun side by side. */
  @Test
  void it_is_left_to_the_stack_that_is_writing_it() throws IOException {
    var archive = new ClassArchive(MAIN, jar);
    var claim = ClassArchive.claim(archive.file());
    Files.createDirectory(claim.getParent());
    try (var other = FileChannel.open(claim, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var writing = other.lock()) {
      archive.writeFrom(ProcessHandle.current().pid());

      assertThat(writing.isValid()).isTrue();
      assertThat(archive.flags()).isEmpty();
    }
  }

  @Test
  void where_there_are_no_jars_there_is_none() {
    assertThat(new ClassArchive(MAIN, Path.of("/nowhere/app/cellmesh.jar")).flags()).isEmpty();
  }
}
