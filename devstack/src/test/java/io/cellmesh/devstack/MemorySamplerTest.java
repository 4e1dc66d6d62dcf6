package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MemorySamplerTest {

  @Test
  void theProportionalShareIsTakenFromTheKernelsSum() {
    assertThat(
            MemorySampler.pss(
                List.of(
                    "55d0-7ffd ---p 00000000 00:00 0    [rollup]",
                    "Rss:              156084 kB",
                    "Pss:              153196 kB",
                    "Pss_Anon:         116992 kB")))
        .isEqualTo(153_196);
  }

  @Test
  void whatIsGoneTakesNothing() {
    assertThat(MemorySampler.pss(List.of())).isZero();
  }
}
