package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndpointsTest {
  private static final Endpoints FULL =
      new Endpoints(
          "trips",
          64,
          List.of(
              new Endpoints.Dc(
                  "dc1",
                  "127.0.0.1:9092",
                  "http://127.0.0.1:8083",
                  List.of(
                      new Endpoints.Cluster(
                          "c1",
                          "0-31",
                          "mysql://root@127.0.0.1:3301",
                          List.of("mysql://root@127.0.0.1:3302"))))));

  @TempDir Path dir;

  @Test
  void theFileHasTheFieldsThatScriptsRelyOn() throws Exception {
    FULL.write(dir);

    assertThat(Files.readString(dir.resolve("endpoints.json")).replaceAll("\\s", ""))
        .isEqualTo(
            """
            {"instance":"trips","shards":64,"dcs":[{"name":"dc1","kafka":"127.0.0.1:9092",
            "connect":"http://127.0.0.1:8083","clusters":[{"name":"c1","shards":"0-31",
            "master":"mysql://root@127.0.0.1:3301","minions":["mysql://root@127.0.0.1:3302"]}]}]}
            """
                .replaceAll("\\s", ""));
  }

  @Test
  void itIsReadBackAsItWasWritten() {
    FULL.write(dir);

    assertThat(Endpoints.read(dir)).isEqualTo(FULL);
  }

  @Test
  void aPartThatWasNotStartedIsLeftOut() throws Exception {
    new Endpoints("trips", 64, List.of(new Endpoints.Dc("dc1", null, null, List.of()))).write(dir);

    assertThat(Files.readString(dir.resolve("endpoints.json")))
        .doesNotContain("kafka", "connect", "null");
    assertThat(Endpoints.read(dir).dc("dc1").kafka()).isNull();
  }

  @Test
  void aFieldOfALaterVersionIsNoObstacle() throws Exception {
    Files.writeString(
        dir.resolve("endpoints.json"),
        """
        {"instance":"trips","shards":64,"later":1,"dcs":[]}
        """);

    assertThat(Endpoints.read(dir).dcs()).isEmpty();
  }

  @Test
  void withoutAStackItSaysSo() {
    assertThatThrownBy(() -> Endpoints.read(dir))
        .isInstanceOf(DevStackException.class)
        .hasMessageContaining("no stack in " + dir);
    assertThatThrownBy(() -> FULL.dc("dc7"))
        .hasMessageContaining("dc7")
        .hasMessageContaining("dc1");
  }
}
