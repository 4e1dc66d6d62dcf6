package io.cellmesh.storage.grants;

import io.cellmesh.cell.EntitySchema;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.cell.index.IndexDefinition;
import java.util.ArrayList;
import java.util.List;

/**
 * The statements that give a role's account what the role needs on one cluster, table by table: so
 * nobody but a sink can add a cell, and nobody at all can change or delete one.
 *
 * <p>They run on the cluster's master, whence they reach its minions, when the tables are there,
 * and may run again. They set no password: an account that is not there yet is made locked.
 */
public final class Grants {
  private static final String EVERYWHERE = "*.*";

  private final Topology topology;
  private final List<IndexDefinition> indexes;

  /**
   * @param indexes whose tables {@link Role#INDEX} writes and {@link Role#OPERATOR} may drop; no
   *     other role looks at them
   */
  public Grants(Topology topology, List<IndexDefinition> indexes) {
    this.topology = topology;
    this.indexes = List.copyOf(indexes);
  }

  /** The statements, each without a semicolon. */
  public List<String> of(Role role, Account account, StorageCluster cluster) {
    var statements = new Statements(account);
    statements.create();
    return grant(role, cluster, statements);
  }

  /** The same for an account that is there. */
  public List<String> more(Role role, Account account, StorageCluster cluster) {
    return grant(role, cluster, new Statements(account));
  }

  private List<String> grant(Role role, StorageCluster cluster, Statements statements) {
    switch (role) {
      case SINK -> sink(statements, cluster);
      case SOURCE -> source(statements, cluster);
      case INDEX -> index(statements, cluster);
      case READER -> reader(statements, cluster);
      case OPERATOR -> operator(statements, cluster);
      case REPLICATION -> statements.grant("REPLICATION SLAVE", EVERYWHERE);
    }
    return List.copyOf(statements.list);
  }

  private void sink(Statements to, StorageCluster cluster) {
    // Replication filters are refused, and only this shows them.
    to.grant("REPLICATION CLIENT", EVERYWHERE);
    to.grant("SELECT", meta("instance"));
    // A secondary that was away while a master changed is told by the first who knows.
    to.grant("SELECT, UPDATE (epoch)", meta("epoch"));
    to.grant("SELECT, INSERT, UPDATE", meta("position"));
    to.grant("SELECT, INSERT, DELETE", meta("buffer"));
    // What was decided stays; only that it was told is noted, and then the record's bytes go.
    to.grant(
        "SELECT, INSERT, UPDATE (told_at, record_key, record_value, record_headers, record_timestamp)",
        meta("conflict"));
    shards(cluster).forEach(shard -> to.grant("SELECT, INSERT", entity(shard)));
  }

  private void source(Statements to, StorageCluster cluster) {
    to.grant("REPLICATION SLAVE, REPLICATION CLIENT", EVERYWHERE);
    to.grant("SELECT", meta("instance"));
    // To rebuild the log from them.
    shards(cluster).forEach(shard -> to.grant("SELECT", entity(shard)));
  }

  private void index(Statements to, StorageCluster cluster) {
    // Which version the tables have.
    to.grant("SELECT", meta("instance"));
    for (var index : indexes) {
      shards(cluster)
          .forEach(
              shard ->
                  to.grant("SELECT, INSERT, UPDATE", database(shard) + "." + index.tableName()));
    }
  }

  /** Of whole databases, for indexes come and go. */
  private void reader(Statements to, StorageCluster cluster) {
    // A worker's page tells how far a minion is behind.
    to.grant("REPLICATION CLIENT", EVERYWHERE);
    to.grant("SELECT", whole(Names.metaDatabase(topology.instance())));
    shards(cluster).forEach(shard -> to.grant("SELECT", whole(database(shard))));
  }

  /**
   * No right to add a cell, and none to drop a table but those of the indexes that are named: who
   * may drop any could drop cells. A server that is to be seeded has no table yet, so rights on a
   * table come with CREATE, with which they may be granted before it is there.
   */
  private void operator(Statements to, StorageCluster cluster) {
    // Looking, cutting off, following.
    to.grant("REPLICATION CLIENT, REPLICATION_SLAVE_ADMIN, RELOAD", EVERYWHERE);
    // Opening and fencing.
    to.grant("SYSTEM_VARIABLES_ADMIN, CONNECTION_ADMIN, PROCESS", EVERYWHERE);
    // Epochs and ids.
    to.grant("SESSION_VARIABLES_ADMIN", EVERYWHERE);
    // Seeding: from the donor, to the new server.
    to.grant("BACKUP_ADMIN, CLONE_ADMIN", EVERYWHERE);
    to.grant("INSERT", "mysql.plugin");
    // CREATE is for the tables of indexes.
    to.grant("SELECT, ALTER, CREATE", "`" + topology.instance().replace("_", "\\_") + "\\_%`.*");
    to.grant("CREATE, UPDATE", meta("epoch"));
    to.grant("CREATE, UPDATE", meta("position"));
    // Before a topic that was made anew is accepted, copies of the old one go.
    to.grant("CREATE, DELETE", meta("buffer"));
    to.grant("CREATE, INSERT, UPDATE, DELETE", meta("index_version"));
    to.grant("CREATE, INSERT, UPDATE", meta("topology"));
    for (var index : indexes) {
      shards(cluster)
          .forEach(shard -> to.grant("CREATE, DROP", database(shard) + "." + index.tableName()));
    }
  }

  private static List<Integer> shards(StorageCluster cluster) {
    return cluster.shards().stream().boxed().toList();
  }

  private String meta(String table) {
    return Names.metaDatabase(topology.instance()) + "." + table;
  }

  private String entity(int shard) {
    return database(shard) + "." + EntitySchema.TABLE;
  }

  private String database(int shard) {
    return Names.database(topology.instance(), shard);
  }

  /** An underscore stands for any character where a grant is for a whole database. */
  private static String whole(String database) {
    return "`" + database.replace("_", "\\_") + "`.*";
  }

  private static final class Statements {
    private final Account account;
    private final List<String> list = new ArrayList<>();

    Statements(Account account) {
      this.account = account;
    }

    void create() {
      list.add("CREATE USER IF NOT EXISTS " + account + " ACCOUNT LOCK");
      if (account.tlsOnly()) {
        list.add("ALTER USER " + account + " REQUIRE SSL");
      }
    }

    void grant(String privileges, String object) {
      list.add("GRANT " + privileges + " ON " + object + " TO " + account);
    }
  }
}
