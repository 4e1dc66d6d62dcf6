package io.cellmesh.topics.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class NameUuidTest {

  /** The example of RFC 9562, appendix A.4. */
  @Test
  void itIsTheUuidThatTheStandardGives() {
    var dns = UUID.fromString("6ba7b810-9dad-11d1-80b4-00c04fd430c8");

    assertThat(NameUuid.of(dns, "www.example.com"))
        .isEqualTo(UUID.fromString("2ed6657d-e927-568b-95e1-2665a8aea6a2"));
  }
}
