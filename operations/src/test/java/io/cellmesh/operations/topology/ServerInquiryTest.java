package io.cellmesh.operations.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.storage.Pools;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerInquiryTest {
  @Test
  void a_server_whose_name_can_not_be_resolved_is_said_to_be_so() {
    var nowhere = new Server("db1.invalid", 3306, "rack1");

    try (var pools = new Pools(new Credentials("operator", ""), ServerInquiry.OPTIONS)) {
      var answer = new ServerInquiry(pools).roles(List.of(nowhere)).get(nowhere);
      assertThat(answer.answered()).isFalse();
      assertThat(answer.silence()).isEqualTo("the name db1.invalid can't be resolved");
    }
  }
}
