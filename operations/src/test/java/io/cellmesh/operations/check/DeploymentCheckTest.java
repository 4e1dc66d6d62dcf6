package io.cellmesh.operations.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.operations.check.Finding.Mark;
import io.cellmesh.operations.status.HiddenPeer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of a peer that is read over HTTP and hides its brokers. */
class DeploymentCheckTest {
  @TempDir private Path dir;

  @Test
  void what_can_not_be_seen_is_a_warning() throws Exception {
    assertThat(ofPeer(""))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.mark()).isEqualTo(Mark.WARNING);
              assertThat(finding.part()).isEqualTo("kafka, connect, mysql");
              assertThat(finding.text()).startsWith("can't be seen from here");
            });
  }

  @Test
  void what_is_named_must_be_right() throws Exception {
    assertThat(ofPeer("connect: {url: \"http://127.0.0.1:1\"}"))
        .filteredOn(finding -> finding.mark() == Mark.WRONG)
        .extracting(Finding::part)
        .contains("connect http://127.0.0.1:1");
  }

  /** The findings of the peer alone. */
  private List<Finding> ofPeer(String said) throws Exception {
    var deployment = HiddenPeer.with(said, dir);
    var findings = new ArrayList<Finding>();
    new DeploymentCheck(deployment, dir).run(findings::add);
    return findings.stream().filter(finding -> finding.datacenter().equals("dc2")).toList();
  }
}
