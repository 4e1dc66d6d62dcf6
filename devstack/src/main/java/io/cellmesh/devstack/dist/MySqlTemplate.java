package io.cellmesh.devstack.dist;

import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A freshly initialised data directory of a MySQL version, made once and copied for every server
 * after that. Its only user is root, without a password, from loopback.
 */
public final class MySqlTemplate {
  /** Part of the name: raise it when what is in the directory changes. */
  private static final int GENERATION = 1;

  /** One statement a line is what mysqld wants. Servers do not resolve 127.0.0.1 to localhost. */
  private static final String USERS =
      """
      CREATE USER 'root'@'127.0.0.1' IDENTIFIED BY '';
      GRANT ALL ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION;
      """;

  private final Cache cache;
  private final MySqlDist dist;
  private final Progress progress;

  public MySqlTemplate(Cache cache, MySqlDist dist, Progress progress) {
    this.cache = cache;
    this.dist = dist;
    this.progress = progress;
  }

  /** Makes {@code target} a data directory of its own. */
  public void copyTo(Path target) throws IOException {
    var template = cache.directory("mysql-" + dist.version() + "-data-" + GENERATION, this::make);
    SparseCopy.directory(template.resolve("data"), target, name -> !name.equals("auto.cnf"));
  }

  private void make(Path dir) throws IOException {
    progress.step("initialising MySQL " + dist.version());
    var users = Files.writeString(dir.resolve("users.sql"), USERS);
    var command = new ArrayList<String>(List.of(dist.mysqld().toString(), "--no-defaults"));
    dist.home().ifPresent(home -> command.add("--basedir=" + home));
    command.addAll(
        List.of(
            "--initialize-insecure",
            "--init-file=" + users,
            "--datadir=" + dir.resolve("data"),
            "--mysqlx=OFF",
            "--performance-schema=OFF",
            "--innodb-buffer-pool-size=64M",
            "--loose-innodb-redo-log-capacity=" + REDO_CAPACITY));
    if (System.getProperty("user.name").equals("root")) {
      command.add("--user=root");
    }
    var result = Command.run(dir, dist.environment(), command);
    if (!result.ok()) {
      throw new DevStackException(
          "%s --initialize failed; set CELLMESH_MYSQL_HOME to another MySQL if this one may not write to %s. It said:\n%s"
              .formatted(dist.mysqld(), dir, result.lastLines(8)));
    }
  }

  /** Of every server as well, because another capacity would make each resize at its start. */
  public static final String REDO_CAPACITY = "64M";
}
