package io.cellmesh.worker.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class HourTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

  @Test
  void it_holds_one_sample_a_minute_of_one_hour_however_often_something_is_added() {
    var hour = new Hour<Integer>();
    for (int second = 0; second < 3 * 3600; second += 5) {
      hour.add(NOON.plusSeconds(second), second);
      assertThat(hour.samples()).hasSizeLessThanOrEqualTo(Hour.MINUTES);
    }
    var samples = hour.samples();
    assertThat(samples).hasSize(60);
    assertThat(samples.get(59).value()).isEqualTo(3 * 3600 - 5);
    assertThat(samples.get(0).at()).isAfterOrEqualTo(NOON.plusSeconds(2 * 3600 - 5));
    assertThat(hour.oldest()).contains(samples.get(0));
  }

  @Test
  void the_newest_of_a_minute_stays_and_the_very_first_with_it() {
    var hour = new Hour<Integer>();
    hour.add(NOON, 1);
    hour.add(NOON.plusSeconds(10), 2);
    hour.add(NOON.plusSeconds(20), 3);
    assertThat(hour.samples()).extracting(Hour.Sample::value).containsExactly(1, 3);
  }

  @Test
  void what_is_older_than_an_hour_goes_though_nothing_was_added_meanwhile() {
    var hour = new Hour<Integer>();
    hour.add(NOON, 1);
    hour.add(NOON.plusSeconds(3601), 2);
    assertThat(hour.samples()).extracting(Hour.Sample::value).containsExactly(2);
    assertThat(new Hour<Integer>().oldest()).isEmpty();
  }
}
