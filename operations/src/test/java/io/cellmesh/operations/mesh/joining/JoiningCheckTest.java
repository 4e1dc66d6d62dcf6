package io.cellmesh.operations.mesh.joining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.OperationListener;
import io.cellmesh.operations.mesh.BareDataCenter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What keeps a data centre from joining before anybody is asked. */
class JoiningCheckTest {
  private static final String KAFKA = "kafka: {bootstrap: \"127.0.0.1:1\"}";

  @TempDir private Path dir;

  @Test
  void without_a_way_to_the_brokers_of_all_nothing_is_begun() throws IOException {
    var check = check("", "");

    assertThatThrownBy(check::identities)
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("dc1 has no `kafka`");
  }

  @Test
  void a_data_centre_that_is_alone_has_nobody_to_join() throws IOException {
    write("", "");
    var alone = new Deployment("cellmesh.yaml", List.of(dc("dc3")));
    var settings = new Joining.Settings((short) -1, 0, dir);

    assertThatThrownBy(
            () -> new Joining(alone, dc("dc3"), settings, OperationListener.silent(), text -> {}))
        .isInstanceOf(OperationException.class)
        .hasMessage(
            "cellmesh.yaml names no other data centre than dc3, so there is nobody to join");
  }

  @Test
  void whoever_does_not_run_is_told_to_be_started_once() {
    assertThat(
            LinkState.toStart(
                List.of(
                    new LinkState("dc3", "dc1", false, false),
                    new LinkState("dc3", "dc2", true, false),
                    new LinkState("dc1", "dc3", true, true),
                    new LinkState("dc2", "dc3", false, false))))
        .containsExactly("dc2", "dc3");
  }

  private JoiningCheck check(String first, String last) throws IOException {
    write(first, last);
    return new JoiningCheck(
        Deployment.read(dir.resolve("cellmesh.yaml")), dc("dc3"), List.of(dc("dc1"), dc("dc2")));
  }

  private DataCenter dc(String name) throws IOException {
    return Deployment.read(dir.resolve("cellmesh.yaml")).datacenter(Optional.of(name));
  }

  private void write(String first, String last) throws IOException {
    var file = new StringBuilder("instance: trips\ndatacenters:\n");
    for (var dc : List.of("dc1", "dc2", "dc3")) {
      Files.writeString(
          dir.resolve(dc + ".yaml"), TopologyYaml.write(BareDataCenter.nowhere(dc).topology()));
      file.append("  - name: %s\n    topology: %s.yaml\n".formatted(dc, dc));
      var more = dc.equals("dc1") ? first : dc.equals("dc3") ? last : KAFKA;
      if (!more.isEmpty()) {
        file.append("    ").append(more).append('\n');
      }
    }
    Files.writeString(dir.resolve("cellmesh.yaml"), file.toString());
  }
}
