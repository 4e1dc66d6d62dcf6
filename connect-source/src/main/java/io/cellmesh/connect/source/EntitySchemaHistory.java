package io.cellmesh.connect.source;

import io.cellmesh.cell.EntitySchema;
import io.cellmesh.cell.Names;
import io.cellmesh.cell.ShardSet;
import io.debezium.config.Configuration;
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
 * <p>The statement is parsed once and the table copied for each shard, so a start takes as long
 * with two thousand shards as with one, but for building their schemas.
 */
public final class EntitySchemaHistory implements SchemaHistory {
  private static final String OWN_PREFIX = "cellmesh.";
  static final String INSTANCE = CONFIGURATION_FIELD_PREFIX_STRING + OWN_PREFIX + "instance";
  static final String SHARDS = CONFIGURATION_FIELD_PREFIX_STRING + OWN_PREFIX + "shards";

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
    var parsed = new Tables();
    parser.setCurrentSchema(instance);
    parser.parse(EntitySchema.CREATE_TABLE, parsed);
    var entity = parsed.forTable(new TableId(instance, null, EntitySchema.TABLE));
    shards.stream()
        .mapToObj(shard -> new TableId(Names.database(instance, shard), null, EntitySchema.TABLE))
        .forEach(id -> tables.overwriteTable(entity.edit().tableId(id).create()));
    listener.recoveryStopped();
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
