package io.cellmesh.triggers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetIdsTest {
  private final MetIds ids = new MetIds();

  @Test
  void nothing_was_met_at_first() {
    assertThat(ids.contains(1, false)).isFalse();
    assertThat(ids.contains(1, true)).isFalse();
  }

  @Test
  void a_cell_at_or_below_the_highest_is_a_repeat() {
    add(10, 12);

    assertThat(ids.contains(12, false)).isTrue();
    assertThat(ids.contains(3, false)).isTrue();
    assertThat(ids.contains(13, false)).isFalse();
  }

  @Test
  void a_rebuilt_cell_is_a_repeat_only_between_the_lowest_and_the_highest() {
    add(10, 12);

    assertThat(ids.contains(9, true)).isFalse();
    assertThat(ids.contains(10, true)).isTrue();
    assertThat(ids.contains(12, true)).isTrue();
    assertThat(ids.contains(13, true)).isFalse();
  }

  @Test
  void a_rebuilt_stretch_does_not_swallow_what_it_has_not_reached() {
    add(10, 12);
    rebuilt(1, 3);

    assertThat(ids.contains(3, true)).isTrue();
    assertThat(ids.contains(4, true)).isFalse();
    assertThat(ids.contains(9, true)).isFalse();
  }

  @Test
  void a_stretch_that_reached_the_lowest_is_joined_with_the_rest() {
    add(10, 12);
    rebuilt(1, 9);
    ids.join();
    assertThat(ids).isEqualTo(new MetIds(10, 12, 1, 9));

    rebuilt(10, 10);
    ids.join();

    assertThat(ids).isEqualTo(new MetIds(1, 12));
  }

  @Test
  void a_rebuild_that_begins_again_goes_on_behind_what_it_had() {
    add(10, 12);
    rebuilt(1, 3);
    rebuilt(1, 5);

    assertThat(ids).isEqualTo(new MetIds(10, 12, 1, 5));
  }

  @Test
  void what_is_at_or_above_an_unfinished_cell_is_taken_away() {
    var all = new MetIds(10, 20, 1, 5);

    assertThat(all.below(15, Long.MAX_VALUE)).isEqualTo(new MetIds(10, 14, 1, 5));
    assertThat(all.below(Long.MAX_VALUE, 3)).isEqualTo(new MetIds(10, 20, 1, 2));
    assertThat(all.below(10, Long.MAX_VALUE)).isEqualTo(new MetIds());
    assertThat(all.below(11, 1)).isEqualTo(new MetIds(10, 10));
  }

  private void add(long first, long last) {
    for (long id = first; id <= last; id++) {
      ids.add(id, false);
    }
  }

  private void rebuilt(long first, long last) {
    for (long id = first; id <= last; id++) {
      ids.add(id, true);
    }
  }
}
