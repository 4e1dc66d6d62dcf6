package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GtidSetTest {
  private static final String A = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
  private static final String B = "8a94f357-aab4-11df-86ab-c80aa9429562";

  @Test
  void it_reads_what_mysql_writes_and_joins_what_touches() {
    assertThat(set("")).isEqualTo(GtidSet.EMPTY);
    assertThat(set(A.toUpperCase() + ":1-3:4:8-9,\n" + B + ":7"))
        .hasToString(A + ":1-4:8-9," + B + ":7");
    assertThat(set(A + ":5:1-3:2-4")).isEqualTo(set(A + ":1-5"));
  }

  @Test
  void a_tag_makes_another_source() {
    var tagged = set(A + ":1-5:billing:1-3");

    assertThat(tagged.count()).isEqualTo(8);
    assertThat(tagged).hasToString(A + ":1-5," + A + ":billing:1-3");
    assertThat(tagged.containsAll(set(A + ":billing:4"))).isFalse();
    assertThat(tagged.tagged()).isEqualTo(set(A + ":billing:1-3"));
    assertThat(set(A + ":1-5").tagged()).isEqualTo(GtidSet.EMPTY);
    assertThat(tagged.containsAll(set(A + ":4"))).isTrue();
    assertThat(tagged.containsAll(set(A + ":6"))).isFalse();
  }

  @Test
  void tags_are_read_in_any_spelling_and_kept_apart_from_one_another() {
    var all = set(A + ":1-3:Billing:1-2:5:night_ly:7," + B + ":_x:1");

    assertThat(all)
        .isEqualTo(set(A + ":night_ly:7," + A + ":billing:5:1-2," + A + ":1-3," + B + ":_X:1"));
    assertThat(GtidSet.parse(all.toString())).isEqualTo(all);
    assertThat(all.without(set(A + ":billing:1-5")))
        .isEqualTo(set(A + ":1-3:night_ly:7," + B + ":_x:1"));
    assertThat(set(A + ":billing:1-2").with(set(A + ":1-2:billing:3")))
        .hasToString(A + ":1-2," + A + ":billing:1-3");
    assertThat(set(A + ":1-2:billing:3").brief()).isEqualTo("3e11fa47…:1-2 3e11fa47…:billing:3");
  }

  @Test
  void it_says_what_one_has_and_another_lacks() {
    var one = set(A + ":1-10:20," + B + ":1");

    assertThat(one.without(set(A + ":3-4:10-30"))).isEqualTo(set(A + ":1-2:5-9," + B + ":1"));
    assertThat(set(A + ":1-9").without(one)).isEqualTo(GtidSet.EMPTY);
    assertThat(one.containsAll(set(A + ":2-3:20"))).isTrue();
    assertThat(one.containsAll(set(A + ":10-11"))).isFalse();
    assertThat(one.containsAll(GtidSet.EMPTY)).isTrue();
    assertThat(GtidSet.EMPTY.containsAll(one)).isFalse();
  }

  @Test
  void it_adds_up() {
    assertThat(set(A + ":1-3").with(set(A + ":4-5," + B + ":2")))
        .isEqualTo(set(A + ":1-5," + B + ":2"));
    assertThat(set(A + ":1-3:7," + B + ":2").count()).isEqualTo(5);
  }

  @Test
  void a_message_tells_servers_apart_without_their_whole_uuids() {
    assertThat(set(A + ":1-3," + B + ":2").brief()).isEqualTo("3e11fa47…:1-3 8a94f357…:2");
    assertThat(GtidSet.EMPTY.brief()).isEqualTo("none");
  }

  @Test
  void what_is_no_set_is_refused() {
    for (var text :
        new String[] {
          A, A + ":", A + ":0", A + ":5-3", A + ":1-2-3", A + ":b-c:1", "1:2", "x:1-3"
        }) {
      assertThatThrownBy(() -> set(text)).as(text).isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> set(A + ":1-x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no set of GTIDs");
  }

  private static GtidSet set(String text) {
    return GtidSet.parse(text);
  }

  @Test
  void what_one_server_committed_first_is_told_from_the_rest() {
    var set =
        GtidSet.parse(
            "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5:backup:3,4e11fa47-71ca-11e1-9e33-c80aa9429562:7");
    assertThat(set.of("3E11FA47-71CA-11E1-9E33-C80AA9429562"))
        .hasToString(
            "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5,3e11fa47-71ca-11e1-9e33-c80aa9429562:backup:3");
    assertThat(set.of("5e11fa47-71ca-11e1-9e33-c80aa9429562").isEmpty()).isTrue();
  }
}
