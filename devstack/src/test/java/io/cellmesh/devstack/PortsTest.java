package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import org.junit.jupiter.api.Test;

class PortsTest {
  private static final int FIRST = 14_990;
  private static final int LAST = 14_999;

  @Test
  void a_port_that_another_jvm_was_given_is_not_given_before_that_jvm_ends() throws Exception {
    var other =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                Drawer.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var said = new BufferedReader(other.inputReader())) {
      assertThat(said.readLine()).isEqualTo("has them all");
      assertThatThrownBy(() -> Ports.free(FIRST, LAST)).hasMessageContaining("no free port");
    } finally {
      other.destroyForcibly().waitFor();
    }
    assertThat(Ports.free(FIRST, LAST)).isBetween(FIRST, LAST);
  }

  /** Is given every port of a range, and keeps them until it is killed. */
  static final class Drawer {
    private Drawer() {}

    public static void main(String[] args) throws Exception {
      for (int i = FIRST; i <= LAST; i++) {
        Ports.free(FIRST, LAST);
      }
      System.out.println("has them all");
      System.in.read();
    }
  }
}
