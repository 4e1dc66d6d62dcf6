package io.cellmesh.devstack.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheTest {
  @TempDir Path dir;

  @Test
  void aDirectoryIsMadeOnceEvenWhenManyAskForIt() throws Exception {
    var cache = new Cache(dir);
    var made = new AtomicInteger();
    var threads = Executors.newFixedThreadPool(8);
    try {
      var asked =
          IntStream.range(0, 8)
              .mapToObj(
                  i ->
                      threads.submit(
                          () ->
                              cache.directory(
                                  "thing",
                                  empty -> {
                                    made.incrementAndGet();
                                    Files.writeString(empty.resolve("file"), "content");
                                  })))
              .toList();
      for (var one : asked) {
        assertThat(one.get().resolve("file")).hasContent("content");
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(made).hasValue(1);
  }

  @Test
  void whatFailsHalfwayIsNotThereAndIsTriedAgain() throws Exception {
    var cache = new Cache(dir);

    assertThatThrownBy(
            () ->
                cache.directory(
                    "thing",
                    empty -> {
                      Files.writeString(empty.resolve("half"), "");
                      throw new IOException("the network went");
                    }))
        .hasMessage("the network went");
    assertThat(dir.resolve("thing")).doesNotExist();

    var made = cache.directory("thing", empty -> Files.writeString(empty.resolve("whole"), ""));
    assertThat(made).isDirectoryNotContaining("glob:**half").isDirectoryContaining("glob:**whole");
  }
}
