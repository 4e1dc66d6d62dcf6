package io.cellmesh.operations.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.cellmesh.operations.buffer.BufferReader;
import io.cellmesh.storage.Pools;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of a deployment that does not say how to sign on to MySQL. */
class PartStatusTest {
  private static final String LACK = "mysql of dc1 is missing, and is needed for this";

  @TempDir private Path dir;

  @Test
  void servers_to_which_nobody_can_sign_on_are_not_known_and_the_rest_is_told() throws Exception {
    var deployment = OneDataCenter.with("kafka: {bootstrap: \"127.0.0.1:1\"}", dir);

    try (var pools = new Pools(deployment.operator())) {
      assertThat(new PartStatus(pools).of(deployment))
          .filteredOn(part -> part.name().equals("c1 master") || part.name().equals("kafka"))
          .satisfiesExactly(
              master -> assertThat(master.detail()).startsWith("not known: ").contains(LACK),
              kafka -> assertThat(kafka.detail()).isEqualTo("does not answer"));
    }
  }

  @Test
  void what_is_not_named_of_a_peer_that_hides_its_brokers_is_not_down() throws Exception {
    var deployment = HiddenPeer.with("", dir);

    try (var pools = new Pools(deployment.operator())) {
      assertThat(new PartStatus(pools).of(deployment))
          .filteredOn(part -> part.datacenter().equals("dc2"))
          .allMatch(Part::up)
          .allMatch(part -> part.detail().startsWith("can't be seen from here"))
          .extracting(Part::name)
          .containsExactly("mysql", "kafka", "connect", "herb-replicator");
    }
  }

  @Test
  void what_is_named_of_it_and_does_not_answer_is() throws Exception {
    var deployment = HiddenPeer.with("connect: {url: \"http://127.0.0.1:1\"}", dir);

    try (var pools = new Pools(deployment.operator())) {
      assertThat(new PartStatus(pools).of(deployment))
          .filteredOn(part -> part.datacenter().equals("dc2") && !part.up())
          .extracting(Part::name, Part::detail)
          .containsExactly(tuple("connect", "does not answer"));
    }
  }

  @Test
  void nor_is_what_their_buffers_hold() throws Exception {
    var deployment = OneDataCenter.with("kafka: {bootstrap: \"127.0.0.1:1\"}", dir);

    try (var pools = new Pools(deployment.operator())) {
      var topology = deployment.datacenters().get(0).topology();
      assertThat(new BufferReader(topology, pools).view(Optional.empty()).unreachable())
          .singleElement()
          .satisfies(server -> assertThat(server.why()).contains(LACK));
    }
  }
}
