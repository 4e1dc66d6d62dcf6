package io.cellmesh.devstack.dist;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SystemLibrariesTest {

  @Test
  void onlyWhatLddDoesNotFindIsMissing() {
    var ldd =
        """
        \tlinux-vdso.so.1 (0x00007feaba1f9000)
        \tlibssl.so.1.1 => /x/bin/../lib/private/libssl.so.1.1 (0x00007feab9800000)
        \tlibaio.so.1 => not found
        \tlibnuma.so.1 => /lib/x86_64-linux-gnu/libnuma.so.1 (0x00007feaba12c000)
        \tlibaio.so.1 => not found
        """;

    assertThat(SystemLibraries.missing(ldd)).containsExactly("libaio.so.1");
  }

  @Test
  void aStaticProgramMissesNothing() {
    assertThat(SystemLibraries.missing("\tnot a dynamic executable\n")).isEmpty();
  }
}
