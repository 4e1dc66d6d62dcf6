package io.cellmesh.storage.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.storage.ScriptedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a server is told whose clone ends as a test wants. */
class CloneSeedTest {
  private static final Server DONOR = new Server("db1", 3306, "rack1");

  private final List<String> told = new ArrayList<>();
  private SQLException end;

  @Test
  void a_server_that_could_not_be_cloned_takes_no_writes() {
    end = new SQLException("Clone Donor MySQL version is different", "HY000", 3864);
    assertThatThrownBy(() -> CloneSeed.run(server(), DONOR, new Credentials("operator", "")))
        .isSameAs(end);
    assertThat(told).last().isEqualTo("SET GLOBAL super_read_only = ON");
  }

  @Test
  void one_that_was_cloned_stops_and_is_told_nothing_more() throws SQLException {
    end = new SQLException("mysqld is not managed by supervisor process", "HY000", 3707);
    CloneSeed.run(server(), DONOR, new Credentials("operator", ""));
    assertThat(told).last().asString().startsWith("CLONE INSTANCE");
  }

  private Connection server() {
    return ScriptedConnection.to(
        sql -> {
          told.add(sql);
          if (sql.startsWith("CLONE")) {
            throw end;
          }
          // No statement has rows.
          return false;
        });
  }
}
