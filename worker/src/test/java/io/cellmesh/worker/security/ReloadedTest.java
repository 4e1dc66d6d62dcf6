package io.cellmesh.worker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.deployment.DeploymentException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadedTest {
  @TempDir private Path dir;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(dir.resolve("file"), "one");
  }

  private Reloaded<String> open() {
    return Reloaded.open(
        "words",
        List.of(file),
        contents -> {
          var text = new String(contents.get(0), StandardCharsets.UTF_8);
          if (text.isEmpty()) {
            throw new IllegalArgumentException("it is empty");
          }
          if (text.equals("defect")) {
            throw new IllegalStateException("nobody thought of this");
          }
          return text;
        });
  }

  @Test
  void another_text_is_in_force_after_a_look_even_if_the_file_looks_as_old() throws IOException {
    var words = open();
    var time = Files.getLastModifiedTime(file);
    assertThat(words.look()).isFalse();

    Files.writeString(file, "two");
    Files.setLastModifiedTime(file, time);

    assertThat(words.look()).isTrue();
    assertThat(words.current()).isEqualTo("two");
    assertThat(words.look()).isFalse();
  }

  @Test
  void a_text_that_meets_a_defect_is_told_as_one_that_is_not_in_force_and_the_next_one_counts()
      throws IOException {
    var words = open();
    Files.writeString(file, "defect");
    assertThat(words.look()).isFalse();
    assertThat(words.look()).isFalse();
    assertThat(words.isFresh()).isFalse();
    assertThat(words.current()).isEqualTo("one");

    Files.writeString(file, "two");
    assertThat(words.look()).isTrue();
    assertThat(words.isFresh()).isTrue();
    assertThat(words.current()).isEqualTo("two");
  }

  @Test
  void the_same_text_again_is_nothing_new() throws IOException {
    var words = open();
    var before = words.current();
    Files.setLastModifiedTime(file, FileTime.fromMillis(1));

    assertThat(words.look()).isFalse();
    assertThat(words.current()).isSameAs(before);
  }

  @Test
  void a_broken_text_leaves_the_one_before_in_force_until_it_is_mended() throws IOException {
    var words = open();
    Files.writeString(file, "");

    assertThat(words.look()).isFalse();
    assertThat(words.current()).isEqualTo("one");
    assertThat(words.isFresh()).isFalse();
    words.look();
    assertThat(words.isFresh()).isFalse();

    Files.writeString(file, "one");
    assertThat(words.look()).isTrue();
    assertThat(words.isFresh()).isTrue();
  }

  @Test
  void a_file_that_goes_away_leaves_what_it_had_in_force_until_it_is_back() throws IOException {
    var words = open();
    Files.delete(file);

    assertThat(words.look()).isFalse();
    assertThat(words.current()).isEqualTo("one");
    assertThat(words.isFresh()).isFalse();

    Files.writeString(file, "one");
    words.look();
    assertThat(words.isFresh()).isTrue();
  }

  @Test
  void a_file_that_everybody_may_write_is_refused() throws IOException {
    var words = open();
    Files.writeString(file, "two");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--rw-"));

    assertThat(words.look()).isFalse();
    assertThat(words.current()).isEqualTo("one");
    assertThatThrownBy(this::open)
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining("may be written by everybody");
  }

  @Test
  void what_can_not_be_used_at_first_is_refused_by_its_name_and_why() throws IOException {
    Files.writeString(file, "");
    assertThatThrownBy(this::open).hasMessage("words [%s]: it is empty".formatted(file));
    Files.delete(file);
    assertThatThrownBy(this::open).hasMessage("words [%1$s]: %1$s is not there".formatted(file));
  }
}
