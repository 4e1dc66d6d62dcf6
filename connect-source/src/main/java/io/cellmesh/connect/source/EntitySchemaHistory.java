package io.cellmesh.connect.source;

import io.cellmesh.cell.EntitySchema;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.ShardSet;
import io.debezium.config.Configuration;
import io.debezium.relational.Table;
import io.debezium.relational.TableId;
import io.debezium.relational.Tables;
import io.debezium.relational.ddl.DdlParser;
import io.debezium.relational.history.HistoryRecordComparator;
import io.debezium.relational.history.SchemaHistory;
import io.debezium.relational.history.SchemaHistoryListener;
import io.debezium.relational.history.TableChanges;
import java.time.Instant;
import java.util.Map;

/**
 * A schema history without a history: the entity table of every shard is {@link
 * EntitySchema#CREATE_TABLE}, always was and always will be, so there is no topic to keep, to lose
 * or to replay.
 *
 * <p>The statement is parsed once in a worker and the table copied for each shard, so a start takes
 * as long with two thousand shards as with one, but for building their schemas, and a connection
 * that was lost comes back the sooner.
 */
public final class EntitySchemaHistory implements SchemaHistory {
  private static final String OWN_PREFIX = "cellmesh.";
  static final String INSTANCE = CONFIGURATION_FIELD_PREFIX_STRING + OWN_PREFIX + "instance";
  static final String SHARDS = CONFIGURATION_FIELD_PREFIX_STRING + OWN_PREFIX + "shards";

  private static volatile Table entity;

  private String instance;
  private ShardSet shards;
  private SchemaHistoryListener listener = SchemaHistoryListener.NOOP;

  @Override
  public void configure(
      Configuration config,
      HistoryRecordComparator comparator,
      SchemaHistoryListener listener,
      boolean useCatalogBeforeSchema) {
    this.instance = config.getString(INSTANCE);
    this.shards = ShardSet.parse(config.getString(SHARDS));
    this.listener = listener;
  }

  @Override
  public void start() {
    listener.started();
  }

  @Override
  @Deprecated
  public void recover(
      Map<Map<String, ?>, Map<String, ?>> offsets, Tables tables, DdlParser parser) {
    listener.recoveryStarted();
    if (entity == null) {
      entity = parse(parser);
    }
    shards.stream()
        .mapToObj(shard -> new TableId(Names.database(instance, shard), null, EntitySchema.TABLE))
        .forEach(id -> tables.overwriteTable(entity.edit().tableId(id).create()));
    listener.recoveryStopped();
  }

  private static Table parse(DdlParser parser) {
    var parsed = new Tables();
    var schema = "any";
    parser.setCurrentSchema(schema);
    parser.parse(EntitySchema.CREATE_TABLE, parsed);
    return parsed.forTable(new TableId(schema, null, EntitySchema.TABLE));
  }

  /** Nothing to remember: a statement that changed the table would break the contract. */
  @Override
  public void record(
      Map<String, ?> source, Map<String, ?> position, String databaseName, String ddl) {}

  /** Nothing to remember: a statement that changed the table would break the contract. */
  @Override
  public void record(
      Map<String, ?> source,
      Map<String, ?> position,
      String databaseName,
      String schemaName,
      String ddl,
      TableChanges changes,
      Instant timestamp) {}

  @Override
  public void stop() {
    listener.stopped();
  }

  @Override
  public boolean exists() {
    return true;
  }

  @Override
  public boolean storageExists() {
    return true;
  }

  @Override
  public void initializeStorage() {}
}
