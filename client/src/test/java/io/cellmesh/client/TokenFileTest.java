package io.cellmesh.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
  private final AtomicLong clock = new AtomicLong();
  @TempDir private Path dir;
  private Path file;
  private TokenFile token;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(dir.resolve("token"), "s3cret\n");
    token = new TokenFile(file, clock::get);
  }

  private void aSecondLater() {
    clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
  }

  @Test
  void a_new_token_counts_a_second_later() throws IOException {
    assertThat(token.get()).isEqualTo("s3cret");
    Files.writeString(file, "s4cret");
    assertThat(token.get()).isEqualTo("s3cret");
    aSecondLater();
    assertThat(token.get()).isEqualTo("s4cret");
  }

  @Test
  void a_file_that_is_away_or_empty_for_a_moment_leaves_the_token_before() throws IOException {
    assertThat(token.get()).isEqualTo("s3cret");
    Files.delete(file);
    aSecondLater();
    assertThat(token.get()).isEqualTo("s3cret");
    Files.writeString(file, "");
    aSecondLater();
    assertThat(token.get()).isEqualTo("s3cret");
    Files.writeString(file, "s4cret");
    assertThat(token.get()).isEqualTo("s4cret");
  }

  @Test
  void a_file_without_a_token_is_named_and_nothing_of_it_is_shown() throws IOException {
    Files.write(file, new byte[] {'s', '3', (byte) 0xff});
    assertThatThrownBy(token::get)
        .hasMessage("token file %s can't be read: MalformedInputException".formatted(file));
    Files.writeString(file, " \n");
    assertThatThrownBy(token::get).hasMessage("token file %s: it has no token".formatted(file));
    Files.delete(file);
    assertThatThrownBy(token::get).hasMessageContaining("NoSuchFileException");
  }

  @Test
  void no_settings_show_it() {
    token.get();
    assertThat(token.toString()).doesNotContain("s3cret");
    var settings = ClientSettings.of("trips", "https://w1").withTokenFile(file);
    assertThat(settings.token().orElseThrow().get()).isEqualTo("s3cret");
    assertThat(settings.toString() + settings.token()).doesNotContain("s3cret");
  }
}
