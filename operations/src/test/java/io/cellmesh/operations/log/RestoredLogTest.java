package io.cellmesh.operations.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.operations.OperationException;
import org.junit.jupiter.api.Test;

class RestoredLogTest {
  private static final String SERVER = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
  private static final StorageCluster C1 = FakeConnect.TOPOLOGY.cluster("c1");
  private static final GtidSet HAS = GtidSet.parse(SERVER + ":1-5");

  private final FakeConnect connect =
      FakeConnect.withSources().offset("c1", shown(9)).offset("c2", shown(9));
  private final RestoredLog log = new RestoredLog(connect.sources());

  @Test
  void a_source_that_has_shown_more_than_the_server_has_goes_on_behind_that() throws Exception {
    assertThat(log.goOnBehind(C1, HAS)).isOne();
    assertThat(connect.offsets.get("trips-source-c1")).contains(":1-5").doesNotContain(":1-9");
    assertThat(connect.calls)
        .containsExactly("stop trips-source-c1", "alter trips-source-c1", "resume trips-source-c1");
    assertThat(log.goOnBehind(C1, HAS)).isZero();
  }

  @Test
  void interrupted_anywhere_the_same_again_leaves_it_running() throws Exception {
    for (var call : new String[] {"alter trips-source-c1", "resume trips-source-c1"}) {
      connect.refusals.add(call);
      connect.offset("c1", shown(9));
      assertThatThrownBy(() -> log.goOnBehind(C1, HAS)).isInstanceOf(OperationException.class);
      // Neither the answer nor what asked for it is there any more.
      connect.states.put("trips-source-c1", "STOPPED");
      connect.refusals.clear();
      assertThat(log.goOnBehind(C1, HAS)).as(call).isOne();
      assertThat(connect.offsets.get("trips-source-c1")).as(call).contains(":1-5");
      assertThat(connect.states).as(call).containsEntry("trips-source-c1", "RUNNING");
    }
  }

  @Test
  void those_of_other_clusters_are_left_as_they_are() throws Exception {
    connect.state("c2", "STOPPED");
    log.goOnBehind(C1, HAS);
    assertThat(connect.states).containsEntry("trips-source-c2", "STOPPED");
    assertThat(connect.offsets.get("trips-source-c2")).contains(":1-9");
  }

  private static String shown(int last) {
    return "{\"gtids\":\"%s:1-%d\"}".formatted(SERVER, last);
  }
}
