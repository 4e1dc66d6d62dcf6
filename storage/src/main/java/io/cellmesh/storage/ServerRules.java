package io.cellmesh.storage;

import io.cellmesh.storage.ServerFinding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Judges what {@link ServerVariables} read from one server. A variable that the server does not
 * have is not judged: newer servers lose those whose only value is the right one.
 */
final class ServerRules {
  private final String server;
  private final Map<String, String> variables;
  private final List<ServerFinding> findings = new ArrayList<>();

  /**
   * @param server as sentences name it
   */
  ServerRules(String server, Map<String, String> variables) {
    this.server = server;
    this.variables = variables;
  }

  /**
   * What a master must be like.
   *
   * @param durability how bad it is if a crash of the machine can lose what was committed
   * @param packetNeeded bytes of the largest statement that a batch makes
   */
  List<ServerFinding> master(Severity durability, long packetNeeded) {
    var lost = "a crash of the machine could lose cells that are secured";
    want(durability, "sync_binlog", "1", lost);
    want(durability, "innodb_flush_log_at_trx_commit", "1", lost);
    want(Severity.REFUSE, "log_bin", "ON", "minions and the log follow the binlog");
    want(Severity.REFUSE, "binlog_format", "ROW", "the log is made from row events");
    want(Severity.REFUSE, "binlog_row_image", "FULL", "the log is made from whole rows");
    want(Severity.REFUSE, "gtid_mode", "ON", "minions and the log find their place by GTID");
    want(Severity.REFUSE, "enforce_gtid_consistency", "ON", "gtid_mode needs it");
    packet(
        Severity.REFUSE,
        packetNeeded,
        "a batch of cells, or a single large one, is written in one packet");
    none("binlog_do_db", "what it leaves out reaches neither minion nor log");
    none("binlog_ignore_db", "what it leaves out reaches neither minion nor log");
    visible("binlog_do_db", "binlog filters");
    return findings;
  }

  /**
   * What a minion must be like.
   *
   * @param packetNeeded as for the {@link #master}
   */
  List<ServerFinding> minion(long packetNeeded) {
    if (!List.of("0", "1").contains(variables.getOrDefault("replica_parallel_workers", "1"))) {
      want(
          Severity.REFUSE,
          "replica_preserve_commit_order",
          "ON",
          "several appliers would commit in another order than the master");
    }
    for (var filter : ServerVariables.REPLICATION_FILTERS) {
      none(filter, "its position would pass cells that it does not have, and their copies go");
    }
    if (!"OFF".equals(variables.getOrDefault("replica_skip_errors", "OFF"))) {
      want(
          Severity.REFUSE,
          "replica_skip_errors",
          "OFF",
          "its position would pass cells that it does not have, and their copies go");
    }
    visible(ServerVariables.REPLICATION_FILTERS.get(0), "replication filters");
    var read = "the log is read from a minion, and it may become the master";
    want(Severity.WARN, "log_bin", "ON", read);
    want(Severity.WARN, "log_replica_updates", "ON", read);
    want(
        Severity.WARN,
        "super_read_only",
        "ON",
        "a write on a minion would part it from its master");
    packet(Severity.WARN, packetNeeded, "it may become the master, which is refused with less");
    return findings;
  }

  private void want(Severity severity, String variable, String wanted, String why) {
    var value = variables.get(variable);
    if (value != null && !value.equalsIgnoreCase(wanted)) {
      add(
          severity,
          variable,
          "%s is %s; set it to %s, because %s".formatted(variable, value, wanted, why));
    }
  }

  private void packet(Severity severity, long needed, String why) {
    var value = variables.get("max_allowed_packet");
    if (value != null && Long.parseLong(value) < needed) {
      add(
          severity,
          "max_allowed_packet",
          "max_allowed_packet is %s; set it to %d or more, because %s"
              .formatted(value, needed, why));
    }
  }

  private void none(String filter, String why) {
    var value = variables.getOrDefault(filter, "");
    if (!value.isBlank()) {
      add(
          Severity.REFUSE,
          filter,
          "%s is \"%s\"; remove the filter, because %s".formatted(filter, value, why));
    }
  }

  private void visible(String filter, String what) {
    if (!variables.containsKey(filter)) {
      add(
          Severity.WARN,
          filter,
          what
              + " can't be seen; grant the user REPLICATION CLIENT ON *.*, because they are refused");
    }
  }

  private void add(Severity severity, String variable, String sentence) {
    findings.add(new ServerFinding(severity, variable, server + ": " + sentence));
  }
}
