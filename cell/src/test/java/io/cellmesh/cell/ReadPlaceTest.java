package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.ReadPlace.State;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReadPlaceTest {

  @Test
  void anOffsetThatTheTopicStillHasIsThePlace() {
    for (long next : new long[] {100, 150, 200}) {
      var place = place(OptionalLong.of(next), 100, 200);
      assertThat(place.state()).isEqualTo(State.FITS);
      assertThat(place.next()).isEqualTo(next);
      assertThat(place.bad()).isFalse();
    }
  }

  @Test
  void withoutAnOffsetATopicThatIsWholeIsReadFromItsFirstRecord() {
    var place = place(OptionalLong.empty(), 0, 200);
    assertThat(place.state()).isEqualTo(State.FROM_THE_FIRST);
    assertThat(place.next()).isZero();
    assertThat(place.bad()).isFalse();
  }

  @Test
  void withoutAnOffsetATopicThatLostItsFirstRecordsIsNotBegunInSilence() {
    var place = place(OptionalLong.empty(), 100, 200);
    assertThat(place.state()).isEqualTo(State.FORGOTTEN);
    assertThat(place.bad()).isTrue();
    assertThat(place.next()).isEqualTo(100);
    assertThat(place.text())
        .startsWith("trips.log-3: the group has no offset")
        .endsWith("no longer has the records before 100");
  }

  @Test
  void recordsThatExpiredUnreadAreNamed() {
    var place = place(OptionalLong.of(40), 100, 200);
    assertThat(place.state()).isEqualTo(State.EXPIRED);
    assertThat(place.next()).isEqualTo(100);
    assertThat(place.text())
        .isEqualTo("trips.log-3: records 40 to 99 expired before they were read");
  }

  @Test
  void aTopicThatEndsBeforeThePlaceWasRecreated() {
    var place = place(OptionalLong.of(201), 0, 200);
    assertThat(place.state()).isEqualTo(State.CHANGED);
    assertThat(place.next()).isZero();
    assertThat(place.text()).contains("ends at 200, before the next one to read, 201");
  }

  private static ReadPlace place(OptionalLong committed, long begin, long end) {
    return new ReadPlace("trips.log", 3, committed, begin, end);
  }
}
