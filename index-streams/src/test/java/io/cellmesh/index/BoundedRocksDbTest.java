package io.cellmesh.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

/** As many stores as a pass has partitions, which have written more than their write buffers. */
class BoundedRocksDbTest {
  private static final int STORES = 16;
  private static final int ROWS = 150_000;
  private static final int ROW_BYTES = 300;
  private static final int LOOK_UPS = 10_000;

  static {
    // As Streams does before it asks for settings.
    RocksDB.loadLibrary();
  }

  @TempDir Path dir;

  private final SplittableRandom random = new SplittableRandom(1);
  private final BoundedRocksDb setter = new BoundedRocksDb();
  private final Statistics statistics = new Statistics();
  private final Options options = new Options();
  private final List<RocksDB> stores = new ArrayList<>();

  @BeforeEach
  void open() throws Exception {
    options
        .setCreateIfMissing(true)
        .setStatistics(statistics)
        .setTableFormatConfig(new BlockBasedTableConfig().setFilterPolicy(new BloomFilter()));
    setter.setConfig("rows", options, Map.of());
    for (int i = 0; i < STORES; i++) {
      var home = Files.createDirectory(dir.resolve(Integer.toString(i)));
      stores.add(RocksDB.open(options, home.toString()));
    }
  }

  @AfterEach
  void close() {
    stores.forEach(RocksDB::close);
    setter.close("rows", options);
    options.close();
    statistics.close();
  }

  @Test
  void aNewRowIsLookedUpInFiltersThatAreThereAlready() throws RocksDBException {
    for (int i = 0; i < ROWS; i++) {
      stores.get(i % STORES).put(key(), new byte[ROW_BYTES]);
    }
    lookUp();
    long read = filtersRead();
    lookUp();
    assertThat(filtersRead() - read).isLessThan(LOOK_UPS / 100);
  }

  private void lookUp() throws RocksDBException {
    for (int i = 0; i < LOOK_UPS; i++) {
      assertThat(stores.get(i % STORES).get(key())).isNull();
    }
  }

  private long filtersRead() {
    return statistics.getTickerCount(TickerType.BLOCK_CACHE_FILTER_MISS);
  }

  private byte[] key() {
    return ByteBuffer.allocate(16).putLong(random.nextLong()).putLong(random.nextLong()).array();
  }
}
