package io.cellmesh.triggers.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VerdictTest {
  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 204, 299})
  void what_is_2xx_is_done(int status) {
    assertThat(Verdict.of(status)).isEqualTo(Verdict.DONE);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 425, 429, 500, 501, 502, 503, 504, 505, 599})
  void what_passes_is_tried_again(int status) {
    assertThat(Verdict.of(status)).isEqualTo(Verdict.RETRY);
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 301, 304, 307, 308, 600, 999})
  void a_redirection_and_what_is_unknown_is_parked(int status) {
    assertThat(Verdict.of(status)).isEqualTo(Verdict.PARK);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 409, 410, 413, 415, 422, 424, 426, 428, 431, 451})
  void what_is_said_of_the_cell_is_parked(int status) {
    assertThat(Verdict.of(status)).isEqualTo(Verdict.PARK);
  }
}
