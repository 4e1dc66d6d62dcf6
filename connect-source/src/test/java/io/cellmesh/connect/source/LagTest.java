package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.connect.source.ServerState.Answer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LagTest {
  private static final String UUID = "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-";
  private static final Server MASTER = new Server("db1", 3306, "rack1");

  private final Lag lag = new Lag();

  @Test
  void a_reader_that_has_everything_is_not_behind() {
    saw(1, 80, 80);
    saw(2, 90, 95);

    assertThat(lag.millis()).isZero();
    assertThat(lag.transactions()).isZero();
  }

  @Test
  void the_lag_is_the_age_of_the_oldest_transaction_that_was_not_read() {
    saw(1, 80, 80);
    saw(2, 85, 80);
    saw(5, 90, 80);

    assertThat(lag.millis()).isEqualTo(3000);
    assertThat(lag.transactions()).isEqualTo(10);

    saw(6, 90, 85);
    assertThat(lag.millis()).isEqualTo(1000);
  }

  @Test
  void while_the_master_is_silent_it_is_not_known() {
    saw(1, 80, 80);
    lag.saw(
        ServerState.silent(MASTER, true, 2, "gone", false), Optional.of(GtidSet.parse(UUID + 80)));

    assertThat(lag.millis()).isEqualTo(-1);
    assertThat(lag.transactions()).isEqualTo(-1);
  }

  private void saw(int second, int executed, int read) {
    lag.saw(
        ServerState.answered(
            MASTER,
            true,
            second * 1_000_000_000L,
            new Answer(false, false, true, GtidSet.parse(UUID + executed), GtidSet.parse(""))),
        Optional.of(GtidSet.parse(UUID + read)));
  }
}
