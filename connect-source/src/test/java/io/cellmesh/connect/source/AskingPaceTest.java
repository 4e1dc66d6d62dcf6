package io.cellmesh.connect.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.GtidSet;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.connect.source.ServerState.Answer;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AskingPaceTest {
  private static final Server SERVER = new Server("db2", 3306, "rack2");

  private final AskingPace pace = new AskingPace();

  @Test
  void a_server_that_is_away_is_asked_often_and_one_that_answers_is_not() {
    assertThat(pace.after(silent(false))).isEqualTo(AskingPace.AWAY);
    assertThat(pace.after(answered())).isEqualTo(AskingPace.CALM);
  }

  /** While another minion is read, nobody ends because this one refuses. */
  @Test
  void a_server_that_keeps_refusing_has_no_reason_to_lock_the_host_out() {
    var hour = Duration.ofHours(1);
    int asked = 0;
    for (var time = Duration.ZERO; time.compareTo(hour) < 0; asked++) {
      time = time.plus(pace.after(silent(true)));
    }
    assertThat(asked).isLessThan(100);
  }

  @Test
  void a_server_that_refuses_while_it_is_set_up_is_soon_seen() {
    var waited =
        IntStream.range(0, 3)
            .mapToObj(i -> pace.after(silent(true)))
            .reduce(Duration.ZERO, Duration::plus);
    assertThat(waited).isLessThan(Duration.ofSeconds(5));
    pace.after(answered());
    assertThat(pace.after(silent(true))).isEqualTo(AskingPace.CALM);
  }

  private static ServerState silent(boolean refused) {
    return ServerState.silent(SERVER, false, 0, "", refused);
  }

  private static ServerState answered() {
    return ServerState.answered(
        SERVER, false, 0, new Answer(true, true, false, GtidSet.EMPTY, GtidSet.EMPTY));
  }
}
