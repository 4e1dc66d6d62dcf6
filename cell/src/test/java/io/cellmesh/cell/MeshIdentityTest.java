package io.cellmesh.cell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What stands in {@code trips.mesh-place}. */
class MeshIdentityTest {
  private static final MeshIdentity IDENTITY = new MeshIdentity("dc2", "trips", new Shards(64, 16));
  private static final RememberedLog LOG = new RememberedLog("cluster-1", "topic-1");

  @Test
  void whatIsWrittenIsReadAgain() {
    assertThat(IDENTITY.toJson())
        .isEqualTo(
            "{\"datacenter\":\"dc2\",\"instance\":\"trips\",\"shards\":64,\"partitions\":16}");
    assertThat(MeshIdentity.parse(IDENTITY.toJson())).contains(IDENTITY);
    assertThat(RememberedLog.parse(LOG.toJson())).contains(LOG);
  }

  @Test
  void oneIsNotTakenForTheOther() {
    assertThat(MeshIdentity.parse(LOG.toJson())).isEmpty();
    assertThat(RememberedLog.parse(IDENTITY.toJson())).isEmpty();
  }

  @Test
  void whatLaterVersionsAddDoesNoHarm() {
    assertThat(RememberedLog.parse("{\"cluster\":\"c\",\"log\":\"l\",\"generation\":3}"))
        .contains(new RememberedLog("c", "l"));
  }

  @Test
  void whatIsNoneOfThemIsNothing() {
    for (var text : new String[] {"", "{", "null", "[]", "{\"datacenter\":\"dc2\"}"}) {
      assertThat(MeshIdentity.parse(text)).isEmpty();
      assertThat(RememberedLog.parse(text)).isEmpty();
    }
    assertThat(RememberedLog.parse(null)).isEmpty();
  }
}
