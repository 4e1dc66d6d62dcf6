package io.cellmesh.herb;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.RememberedLog;
import io.cellmesh.deployment.peer.PeerHttp;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HttpSeedReaderTest {
  @Test
  void one_that_was_woken_before_it_waits_asks_nobody() {
    // Nobody listens there.
    var nowhere = URI.create("http://127.0.0.1:9");
    var peer = new PeerHttp("dc1", "trips", "dc2", nowhere, Optional.empty(), PeerHttp.PATIENCE);
    var reader = new HttpSeedReader(peer, new RememberedLog("kafka", "seed"), Map.of(0, 0L));
    reader.wakeup();
    assertThatThrownBy(() -> reader.poll(Set.of())).isInstanceOf(InterruptedException.class);
  }
}
