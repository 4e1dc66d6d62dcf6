package io.cellmesh.operations.verify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TallyTest {

  @Test
  void what_two_threads_counted_is_added_up() {
    var one = LoggedOrderCheck.tally("dc1");
    var other = LoggedOrderCheck.tally("dc1");
    one.count(LoggedOrderCheck.CELLS, 2);
    other.count(LoggedOrderCheck.CELLS, 3);
    other.count("cells older than the log");

    one.add(other);

    assertThat(one.result().counts())
        .containsEntry(LoggedOrderCheck.CELLS, 5L)
        .containsEntry("cells older than the log", 1L);
    assertThat(one.result().passed()).isTrue();
  }

  @Test
  void an_offence_that_another_thread_found_is_one_and_the_first_few_of_all_are_kept() {
    var one = LoggedOrderCheck.tally("dc1");
    var other = LoggedOrderCheck.tally("dc1");
    one.offence("a", "is wrong");
    for (int i = 0; i < 10; i++) {
      other.offence(i, "is wrong");
    }

    one.add(other);

    assertThat(one.result().passed()).isFalse();
    assertThat(one.result().offences()).isEqualTo(11);
    assertThat(one.result().first()).hasSize(Tally.SHOWN);
  }
}
