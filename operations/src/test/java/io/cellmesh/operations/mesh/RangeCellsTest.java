package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.cell.Shards;
import io.cellmesh.deployment.peer.LogAnswer;
import io.cellmesh.deployment.peer.PeerAwayException;
import io.cellmesh.deployment.peer.PeerHttp;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RangeCellsTest {
  private static final UUID ROW = new UUID(1, 2);

  private final RangeCells cells =
      new RangeCells("dc2", Map.of(3, List.of(new IdRange(3, 10, 20), new IdRange(3, 30, 40))));

  @Test
  void the_first_occurrences_of_the_origins_cells_within_the_ranges_are_held()
      throws InvalidCellException {
    add("dc2", 9, "1");
    add("dc2", 10, "{\"a\":1,\"b\":2}");
    add("dc1", 11, "1");
    add("dc2", 25, "1");
    add("dc2", 40, "1");
    add("dc2", 10, "7");
    add("dc2", 99, "1");

    assertThat(cells.of(3)).containsOnlyKeys(10L, 40L);
    assertThat(cells.of(3).get(10L).digest())
        .isEqualTo(Body.ofJson("{\"b\":2.0,\"a\":1}").digest());
    assertThat(cells.highest(3)).isEqualTo(99);
    assertThat(cells.inverted(3)).isEmpty();
  }

  @Test
  void one_that_comes_first_behind_a_higher_one_is_inverted() throws InvalidCellException {
    add("dc2", 10, "1");
    add("dc2", 99, "1");
    add("dc2", 12, "1");
    add("dc2", 10, "1");

    assertThat(cells.inverted(3)).containsExactly(12L);
  }

  @Test
  void an_origin_that_stalls_over_http_is_away_and_is_not_waited_for_for_ever() throws Exception {
    var shards = new Shards(4, 1);
    var log =
        new LogAnswer(
            new MeshIdentity("dc2", "trips", shards),
            new RememberedLog("cluster", "log"),
            1,
            List.of(0L),
            List.of(7L));
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/v1/trips/mesh/log", call -> answer(call, log.toJson()));
    server.createContext("/v1/trips/mesh/cells", call -> answer(call, ""));
    server.start();
    try {
      var url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
      var dc2 = new PeerHttp("dc1", "trips", "dc2", url, Optional.empty(), Duration.ofSeconds(1));

      assertThatThrownBy(() -> cells.readOverHttp(dc2, shards, 0))
          .isInstanceOf(PeerAwayException.class);
    } finally {
      server.stop(0);
    }
  }

  /** Leaves an answer without any text open. */
  private static void answer(HttpExchange call, String text) throws IOException {
    call.sendResponseHeaders(200, 0);
    call.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
    call.getResponseBody().flush();
    if (!text.isEmpty()) {
      call.close();
    }
  }

  private void add(String origin, long id, String body) throws InvalidCellException {
    cells.add(
        3,
        new Cell(
            new CellKey(ROW, "BASE", id), Body.ofJson(body), Optional.of(new Origin(origin, id))));
  }
}
