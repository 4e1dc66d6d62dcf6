package io.cellmesh.index;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WriteBufferManager;

/**
 * Lets all RocksDB stores of the process share one bounded piece of native memory. By default each
 * partition's store takes its own, which for 16 partitions is over a gigabyte.
 */
public final class BoundedRocksDb implements RocksDBConfigSetter {
  private static final long CACHE_BYTES = 64L << 20;
  private static final long WRITE_BUFFER_BYTES = 32L << 20;
  private static final long MEMTABLE_BYTES = 4L << 20;

  /**
   * Parts of the cache, as a power of two. Each has its share of the bytes, and of the write
   * buffers, which stay in it and come in pieces of 256 KiB: in one of the 64 parts that RocksDB
   * would make of so small a cache, four of those leave no room for a filter, which every look-up
   * then reads anew.
   */
  private static final int CACHE_PARTS_LOG2 = 2;

  private static final Cache CACHE = new LRUCache(CACHE_BYTES, CACHE_PARTS_LOG2);
  private static final WriteBufferManager WRITE_BUFFERS =
      new WriteBufferManager(WRITE_BUFFER_BYTES, CACHE);

  @Override
  public void setConfig(String storeName, Options options, Map<String, Object> configs) {
    var table = (BlockBasedTableConfig) options.tableFormatConfig();
    table.setBlockCache(CACHE);
    table.setCacheIndexAndFilterBlocks(true);
    options.setWriteBufferManager(WRITE_BUFFERS);
    options.setWriteBufferSize(MEMTABLE_BYTES);
    options.setMaxWriteBufferNumber(2);
    // Streams leaves out the last level's filters, for stores where most keys are found. Here most
    // are of new rows, and each would read a block to learn that it is new.
    options.setOptimizeFiltersForHits(false);
    options.setTableFormatConfig(table);
  }

  /** What is shared outlives the single store. */
  @Override
  public void close(String storeName, Options options) {}
}
