package io.cellmesh.operations.mesh.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.proof.OriginShard;
import io.cellmesh.storage.replication.ServerRole;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExpectationTest {
  private static final String SERVER = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
  private static final Map<OriginShard, Long> REACHED = Map.of(new OriginShard("dc2", 1, 42), 17L);

  @Test
  void a_server_that_has_what_its_master_had_must_have_what_the_log_has() {
    var expectation = expectation(Optional.of(role(9, false)));
    assertThat(expectation.of(Optional.of(role(9, false)))).isEqualTo(REACHED);
    assertThat(expectation.of(Optional.of(role(10, true)))).isEqualTo(REACHED);
  }

  @Test
  void one_that_lags_or_does_not_say_may_lag() {
    var expectation = expectation(Optional.of(role(9, false)));
    assertThat(expectation.of(Optional.of(role(8, true)))).isEmpty();
    assertThat(expectation.of(Optional.empty())).isEmpty();
    assertThat(expectation(Optional.empty()).of(Optional.of(role(9, true)))).isEmpty();
  }

  /** What the log has may come from the one that took its place, which the map does not yet say. */
  @Test
  void of_a_master_that_takes_no_writes_any_more_nothing_is_expected() {
    var expectation = expectation(Optional.of(role(9, true)));
    assertThat(expectation.of(Optional.of(role(9, true)))).isEmpty();
  }

  private static Expectation expectation(Optional<ServerRole> master) {
    return new Expectation(REACHED, master);
  }

  private static ServerRole role(int executed, boolean readOnly) {
    var gtids = GtidSet.parse("%s:1-%d".formatted(SERVER, executed));
    return new ServerRole(SERVER, gtids, readOnly, readOnly, Optional.empty());
  }
}
