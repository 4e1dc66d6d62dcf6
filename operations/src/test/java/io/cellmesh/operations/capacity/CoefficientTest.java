package io.cellmesh.operations.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.devstack.CellmeshHome;
import io.cellmesh.devstack.shipped.PagePart;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CoefficientTest {
  @Test
  void thePageListsEveryCoefficient() throws IOException {
    var page = CellmeshHome.dir().resolve("docs/capacity.md");
    var part =
        Arrays.stream(Coefficient.values())
            .map(Coefficient::row)
            .collect(Collectors.joining("\n", "| what | value |\n|---|---|\n", "\n"));

    assertThat(page).hasContent(PagePart.expected(page, "coefficients", "CoefficientTest", part));
  }
}
