package io.cellmesh.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What MySQL 8.4 no longer knows is not said to it. */
class RemovedSqlTest {
  private static final Path HOME = Path.of(System.getProperty("cellmesh.home"));

  private static final Pattern REMOVED =
      Pattern.compile(
          "MASTER STATUS|SHOW MASTER LOGS|RESET MASTER|CHANGE MASTER|MASTER_HOST|MASTER_AUTO_POSITION"
              + "|(START|STOP|RESET|SHOW) SLAVE|SLAVE HOSTS|WAIT_UNTIL_SQL_THREAD_AFTER_GTIDS|MASTER_POS_WAIT"
              + "|log_slave_updates|slave_preserve_commit_order|relay_log_info_repository|master_info_repository"
              + "|mysql_native_password|default_authentication_plugin|expire_logs_days"
              + "|transaction_write_set_extraction"
              // In an option file a server skips what it does not know with this prefix.
              + "|(?<!loose_)binlog_transaction_dependency_tracking",
          Pattern.CASE_INSENSITIVE);

  /** It asks in the new words first, and in these only a server that is older. */
  private static final String FALLS_BACK = "ServerVariables.java";

  @Test
  void no_module_uses_a_word_that_mysql_8_4_removed() throws IOException {
    assertThat(sources()).isNotEmpty().filteredOn(file -> !used(file).isEmpty()).isEmpty();
  }

  private static List<Path> sources() throws IOException {
    try (var files = Files.find(HOME, 20, (path, a) -> isSource(path))) {
      return files.toList();
    }
  }

  private static boolean isSource(Path path) {
    var inside = HOME.relativize(path).toString();
    return inside.contains("src/main/")
        && (inside.endsWith(".java") || inside.endsWith(".sql") || inside.endsWith(".cnf"))
        && !path.endsWith(FALLS_BACK);
  }

  private static List<String> used(Path file) {
    try {
      return REMOVED.matcher(Files.readString(file)).results().map(found -> found.group()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
