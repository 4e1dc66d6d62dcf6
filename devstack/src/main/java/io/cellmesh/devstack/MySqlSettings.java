package io.cellmesh.devstack;

import io.cellmesh.devstack.dist.MySqlDist;
import io.cellmesh.devstack.dist.MySqlTemplate;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * What distinguishes one server from another.
 *
 * @param domain its failure domain in topologies
 * @param more lines of the option file by name; they come last and so win
 */
record MySqlSettings(
    int port, int serverId, String domain, int bufferPoolMiB, Map<String, String> more) {

  /** Where it listens: at its port, unless there is a {@link NetworkPath} before it. */
  int listening() {
    return Integer.parseInt(more.getOrDefault("port", Integer.toString(port)));
  }

  /** The text of its {@code my.cnf}. Names that some version lacks carry {@code loose_}. */
  String optionFile(MySqlDist dist, Path dir) {
    return """
        [mysqld]
        datadir = %s
        port = %d
        server_id = %d
        bind_address = 127.0.0.1
        # In the data directory, and short: the path of a Unix socket holds about 100 characters.
        socket = mysqld.sock
        pid_file = mysqld.pid
        mysqlx = OFF
        # Its thread counts as a client, for which a stopping server waits eight seconds.
        event_scheduler = OFF
        skip_name_resolve = ON
        default_time_zone = '+00:00'
        max_allowed_packet = 64M
        max_connections = 200

        # Nothing that was committed is lost, even when the machine fails.
        sync_binlog = 1
        innodb_flush_log_at_trx_commit = 1
        relay_log_recovery = ON

        log_bin = binlog
        loose_binlog_format = ROW
        binlog_row_image = FULL
        gtid_mode = ON
        enforce_gtid_consistency = ON
        log_replica_updates = ON
        relay_log = relay
        replica_preserve_commit_order = ON
        # As from 8.4 on: a minion applies what touches different rows side by side, or small
        # transactions would leave it behind.
        loose_binlog_transaction_dependency_tracking = WRITESET
        # Twice the default: those that wait for their turn are committed, and flushed, together.
        replica_parallel_workers = 8
        replica_net_timeout = 5

        # A master is opened by an explicit step, never by being started.
        super_read_only = ON

        # Small, because a whole stack runs on one machine.
        performance_schema = OFF
        innodb_buffer_pool_size = %dM
        innodb_buffer_pool_instances = 1
        innodb_log_buffer_size = 4M
        # Its threads for the redo log wake up many thousand times a second: with few processors
        # that costs more than half of what a minion does at some hundred transactions a second.
        innodb_log_writer_threads = OFF
        loose_innodb_redo_log_capacity = %s
        # With more than one, those that have nothing to do spin while another purges. Cells are
        # never changed; what is purged are mostly the copies that buffers no longer need.
        innodb_purge_threads = 1
        innodb_use_native_aio = OFF
        # Hundreds of small tables grow in step; with zeros written into each new extent, too, they
        # stop commits for tens of milliseconds at a time. Linux only.
        loose_innodb_extend_and_initialize = OFF
        # The redo log does not grow, so nothing of its inode has to be flushed with it.
        loose_innodb_use_fdatasync = ON
        # Once a second some hundred pages are written, each to a table's file of its own; with an
        # fsync for each file, too, commits wait in that queue. Safe where redo log and tables are
        # on one device, as MySQL's manual says: the redo log's fsync empties the device's cache.
        innodb_flush_method = O_DIRECT_NO_FSYNC
        key_buffer_size = 1M
        table_open_cache = 800
        table_definition_cache = 600
        %s"""
        .formatted(
            dir.resolve("data"),
            port,
            serverId,
            bufferPoolMiB,
            MySqlTemplate.REDO_CAPACITY,
            also(dist));
  }

  /** What a minion of this server adds to its statement, so that it, too, asks who this is. */
  String replicationTls() {
    return more.containsKey("ssl_ca")
        ? ", SOURCE_SSL = 1, SOURCE_SSL_CA = '%s', SOURCE_SSL_VERIFY_SERVER_CERT = 1"
            .formatted(more.get("ssl_ca"))
        : "";
  }

  private String also(MySqlDist dist) {
    var text = new StringBuilder();
    dist.home().ifPresent(home -> text.append("basedir = ").append(home).append('\n'));
    if (System.getProperty("user.name").equals("root")) {
      text.append("user = root\n");
    }
    new TreeMap<>(more)
        .forEach((name, value) -> text.append(name).append(" = ").append(value).append('\n'));
    return text.toString();
  }
}
