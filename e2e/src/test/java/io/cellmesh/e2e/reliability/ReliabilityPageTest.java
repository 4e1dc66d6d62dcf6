package io.cellmesh.e2e.reliability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReliabilityPageTest {
  private static final String RUN =
      """
      {"processors":2,"load":%d,"plan":{"datacenters":2,"brokers":1,"at_once":3,"exactly_once":true,"rate":200},"seed":%d,"seconds":90,"faults":2,"struck":{"cut":1,"disk":1},"met":{"cut + disk":1},"secured":1500,"reads":10,"lost":%d,"recovered_p99_seconds":{"cut":%d.5},"passed":%b}""";

  private static final List<String> SIMULATIONS =
      List.of("date,commit,first seed,schedules,went wrong,seconds", "2026-11-26,a,1,3000,1,60");

  private static final String MUTATIONS =
      """
      invariants:
        1: routing
      mutations:
        - name: one
          breaks: 1
        - name: two
          breaks: 1
      """;

  private static final String FOUND =
      """
      found:
        - by: chaos
          seed: 21
          what: a cell was late
          mended: abc
      """;

  @Test
  void runs_of_one_plan_are_one_line_and_those_that_failed_are_named() {
    var part = part(RUN.formatted(3, 7, 0, 2, true), RUN.formatted(80, 8, 1, 9, false));

    assertThat(part)
        .contains(
            "| 2 data centres, 1 broker, 3 at once, 200 cells/s, exactly once | 7, 8 | 3 | 4 | 3,000 | 20 | 1 | 0 | 0 | 0 | 1: 8 |")
        .contains("machines of 2 processors, with a load of 3 to 80")
        .contains("| `cut` | 2 | 9.5 s | 9.5 s |")
        .contains("cut + disk 2");
  }

  @Test
  void schedules_mutations_and_defects_are_counted_and_listed() {
    assertThat(part())
        .contains("3,000 schedules in 1 runs of 1 minutes together (3,000 a minute); 1 went wrong.")
        .contains("2 breakages of single lines")
        .contains("| 1, routing | 2 |")
        .contains("| chaos | 21 | a cell was late | abc |");
  }

  @Test
  void the_part_goes_where_the_one_before_was() {
    var page =
        "head\n<!-- e2e/bin/reliability: begin -->\nold\n<!-- e2e/bin/reliability: end -->\nfoot\n";

    assertThat(ReliabilityPage.replaced(page, "new\n"))
        .isEqualTo(page.replace("old", "new"))
        .startsWith("head\n")
        .endsWith("foot\n");
    assertThatThrownBy(() -> ReliabilityPage.replaced("head", "new")).hasMessageContaining("begin");
  }

  private static String part(String... chaos) {
    return ReliabilityPage.part(List.of(chaos), SIMULATIONS, MUTATIONS, FOUND);
  }
}
