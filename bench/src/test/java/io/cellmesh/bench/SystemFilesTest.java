package io.cellmesh.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the system and the JVM tell is read rightly. */
class SystemFilesTest {

  @Test
  void waiting_for_the_disk_is_no_work() {
    assertThat(Processor.busy("cpu  100 20 30 99999 5000 6 7 8 500 0")).isEqualTo(1.63);
  }

  @Test
  void what_other_machines_took_is_told_apart() {
    assertThat(Processor.stolen("cpu  100 20 30 99999 5000 6 7 8 500 0")).isEqualTo(0.08);
    assertThat(Processor.stolen("cpu  100 20 30 99999")).isZero();
  }

  @Test
  void a_threads_name_may_hold_brackets_and_spaces() {
    var use = Threads.parse("77 (task (1) run) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20 0 1 0 99 0 0");

    assertThat(use).isEqualTo(new ThreadUse("task (1) run", 2.5, 0.5));
  }

  @Test
  void threads_are_told_by_what_they_used_in_between() {
    var before = Map.of("1", new ThreadUse("idle", 9, 0), "2", new ThreadUse("busy", 1, 1));
    var after =
        Map.of(
            "1", new ThreadUse("idle", 9, 0),
            "2", new ThreadUse("busy", 3, 2),
            "3", new ThreadUse("new", 0.5, 0));

    assertThat(Threads.between(before, after))
        .isEqualTo(
            List.of(
                new ThreadUse("busy", 2, 1),
                new ThreadUse("new", 0.5, 0),
                new ThreadUse("idle", 0, 0)));
  }

  @Test
  void the_heap_is_the_sum_of_the_generations() {
    var info =
        """
        4242:
         def new generation   total 157248K, used 1024K [0x0, 0x1, 0x2)
          eden space 139776K,   4% used [0x0, 0x1, 0x2)
         tenured generation   total 349568K, used 2048K [0x0, 0x1, 0x2)
         Metaspace       used 60000K, committed 60416K, reserved 1097728K
        """;

    assertThat(JvmMemory.heap(info)).isEqualTo(3 << 20);
  }
}
