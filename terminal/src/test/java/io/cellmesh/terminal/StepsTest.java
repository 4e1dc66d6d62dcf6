package io.cellmesh.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StepsTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final Steps steps =
      new Steps(new PrintStream(printed, true, StandardCharsets.UTF_8), Terminal.NONE);

  @Test
  void aStepLeavesOneLineWithItsResultAndGivesWhatItMade() throws Exception {
    int made =
        steps.call(
            "counting",
            step -> {
              step.progress(1, 2);
              step.result("counted to two");
              return 2;
            });

    assertThat(made).isEqualTo(2);
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .matches(" ✓ +\\d+\\.\\d s  counted to two\n");
  }

  @Test
  void aFailurePassesThroughAndTheLineSaysSo() {
    assertThatThrownBy(
            () ->
                steps.run(
                    "counting",
                    step -> {
                      throw new IOException("no fingers");
                    }))
        .hasMessage("no fingers");
    assertThat(printed.toString(StandardCharsets.UTF_8)).startsWith(" ✗").endsWith("counting\n");
  }
}
