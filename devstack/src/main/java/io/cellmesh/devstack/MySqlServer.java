package io.cellmesh.devstack;

import io.cellmesh.cell.Topology;
import io.cellmesh.devstack.dist.MySqlDist;
import io.cellmesh.devstack.dist.MySqlTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A {@code mysqld} of its own, durable as in production and small otherwise. Its only user is root,
 * without a password, from loopback.
 *
 * <p>It comes up read-only, at its first start and at every later one; {@link #openMaster} lets
 * clients write until the next start.
 */
public final class MySqlServer extends Child {
  private static final Duration READY_TIMEOUT = Duration.ofSeconds(120);
  private static final String HOST = "127.0.0.1";

  private final MySqlDist dist;
  private final MySqlSettings settings;
  private final Path dir;

  MySqlServer(String name, MySqlDist dist, MySqlSettings settings, Household household) {
    super(name, READY_TIMEOUT, household);
    this.dist = dist;
    this.settings = settings;
    this.dir = household.stateDir().resolve(name);
  }

  /**
   * Gives it an empty data directory, unless it has one.
   *
   * @param onDisk whether its directory is a {@link Disk}
   */
  void prepare(MySqlTemplate template, boolean onDisk) {
    try {
      Files.createDirectories(dir);
      Files.writeString(optionFile(), settings.optionFile(dist, dir));
      if (!Files.exists(dataDir())) {
        template.copyTo(dataDir());
        if (onDisk) {
          // As a server has that was not copied with holes where there were zeros.
          new Disk(dir).reserve(dataDir());
        }
      }
    } catch (IOException e) {
      throw new DevStackException("%s: no data directory could be made".formatted(name()), e);
    }
  }

  @Override
  public void start() {
    if (settings.listening() != port()) {
      NetworkPath.open(port(), settings.listening());
    }
    if (!isAlive()) {
      forgetSocketLock();
    }
    super.start();
  }

  /**
   * One that was killed leaves the lock of its socket behind, which names its process. Where
   * another process has that number by now, MySQL would not start. What it writes it locks in
   * another way.
   */
  private void forgetSocketLock() {
    try {
      Files.deleteIfExists(dataDir().resolve("mysqld.sock.lock"));
    } catch (IOException e) {
      throw new DevStackException("%s: the lock of its socket can't go".formatted(name()), e);
    }
  }

  public String host() {
    return HOST;
  }

  /** Where clients reach it, through its {@link NetworkPath} if it has one. */
  public int port() {
    return settings.port();
  }

  /** {@code mysql://root@127.0.0.1:PORT}, as in endpoints.json. */
  public String url() {
    return "mysql://root@" + HOST + ":" + port();
  }

  /** As a topology lists it. */
  public Topology.Server server() {
    return new Topology.Server(HOST, port(), settings.domain());
  }

  public Path dataDir() {
    return dir.resolve("data");
  }

  /** A program of this MySQL, such as {@code mysqlbinlog}. */
  public Path program(String name) {
    return dist.program(name);
  }

  /** A connection as root, past its {@link NetworkPath}. The caller closes it. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mysql://%s:%d/?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true&connectTimeout=2000&socketTimeout=60000"
            .formatted(HOST, settings.listening()));
  }

  /**
   * Runs statements as root, one after the other.
   *
   * @throws DevStackException if one fails
   */
  public void execute(String... statements) {
    try (var connection = connect();
        var statement = connection.createStatement()) {
      for (var sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw sqlFailure(e);
    }
  }

  /**
   * The first column of the first row, as text.
   *
   * @throws DevStackException if the query fails or finds nothing
   */
  public String query(String sql) {
    try (var connection = connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      if (!rows.next()) {
        throw new DevStackException(name() + ": nothing found by " + sql);
      }
      return rows.getString(1);
    } catch (SQLException e) {
      throw sqlFailure(e);
    }
  }

  /** Lets clients write. Only a cluster's master may be opened. */
  public void openMaster() {
    execute("SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
  }

  /** Lets nobody write, not even root; replication goes on. */
  public void closeForWrites() {
    execute("SET GLOBAL super_read_only = ON");
  }

  /**
   * Makes this server a minion of the master, from where it stands (by GTID). A lost master is
   * noticed within seconds and asked for again every second, for ever.
   */
  public void replicateFrom(MySqlServer master) {
    execute(
        "STOP REPLICA",
        """
        CHANGE REPLICATION SOURCE TO SOURCE_HOST = '%s', SOURCE_PORT = %d, SOURCE_USER = 'root',
          SOURCE_PASSWORD = '', SOURCE_AUTO_POSITION = 1, GET_SOURCE_PUBLIC_KEY = 1,
          SOURCE_CONNECT_RETRY = 1, SOURCE_RETRY_COUNT = 4294967295, SOURCE_HEARTBEAT_PERIOD = 1%s
        """
            .formatted(HOST, master.port(), master.settings.replicationTls()),
        "START REPLICA");
  }

  /** Ends replication and forgets the master, as a promotion does. */
  public void stopReplica() {
    execute("STOP REPLICA", "RESET REPLICA ALL");
  }

  /** Every transaction that it has committed. */
  public String gtidExecuted() {
    return query("SELECT @@GLOBAL.gtid_executed").replace("\n", "");
  }

  /** Whether it has committed all that the other server has by now, within the time. */
  public boolean catchesUpWith(MySqlServer master, Duration timeout) {
    return query(
            String.format(
                Locale.ROOT,
                "SELECT WAIT_FOR_EXECUTED_GTID_SET('%s', %.3f)",
                master.gtidExecuted(),
                timeout.toMillis() / 1000.0))
        .equals("0");
  }

  @Override
  public String kind() {
    return "mysqld";
  }

  @Override
  protected List<String> command() {
    return List.of(dist.mysqld().toString(), "--defaults-file=" + optionFile());
  }

  @Override
  protected Map<String, String> environment() {
    return dist.environment();
  }

  @Override
  protected boolean answers() {
    try (var connection = connect()) {
      return connection.isValid(2);
    } catch (SQLException e) {
      return false;
    }
  }

  private Path optionFile() {
    return dir.resolve("my.cnf");
  }

  private DevStackException sqlFailure(SQLException e) {
    return new DevStackException("%s: %s".formatted(name(), e.getMessage()), e);
  }
}
