package io.cellmesh.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GtidsTest {
  private static final String ONE = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

  @Test
  void everyTransactionCountsOnce() {
    assertThat(Gtids.count("")).isZero();
    assertThat(Gtids.count(ONE + ":5")).isEqualTo(1);
    assertThat(Gtids.count(ONE + ":1-10:12-13,\n" + ONE.replace('3', '4') + ":7")).isEqualTo(13);
    assertThat(Gtids.count(ONE + ":1-10:nightly:1-2")).isEqualTo(12);
  }

  @Test
  void serversAreShortenedAndIntervalsKept() {
    assertThat(Gtids.shortened(ONE + ":1-10," + ONE.replace('3', '4') + ":7"))
        .isEqualTo("3e11fa47…:1-10 4e11fa47…:7");
  }
}
