package io.cellmesh.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.stack.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/operating.md says what each kind of fault is and how long it may be felt. */
class FaultsPageTest {
  @ParameterizedTest
  @EnumSource
  void the_page_has_the_kind_and_its_bound(FaultKind kind) throws IOException {
    var page = StateDirectory.home().resolve("docs").resolve("operating.md");

    assertThat(Files.readAllLines(page))
        .contains(
            "| `%s` | %s | %s | %d s |"
                .formatted(kind.label(), kind.text(), kind.clock(), kind.bound().toSeconds()));
  }
}
