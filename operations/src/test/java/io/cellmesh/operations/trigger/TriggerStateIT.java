package io.cellmesh.operations.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.FixedAccess;
import io.cellmesh.deployment.TopologyStore;
import io.cellmesh.devstack.DevStack;
import io.cellmesh.devstack.Options;
import io.cellmesh.devstack.Progress;
import io.cellmesh.operations.OperationException;
import io.cellmesh.topics.GroupLag;
import io.cellmesh.topics.trigger.Creation;
import io.cellmesh.topics.trigger.MemberHealth;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.ParkedRecord;
import io.cellmesh.topics.trigger.ParkedRow;
import io.cellmesh.topics.trigger.Pause;
import io.cellmesh.topics.trigger.Reason;
import io.cellmesh.topics.trigger.Request;
import io.cellmesh.topics.trigger.Start;
import io.cellmesh.topics.trigger.StateKey;
import io.cellmesh.topics.trigger.StateReader;
import io.cellmesh.topics.trigger.StateRecord;
import io.cellmesh.topics.trigger.TriggerName;
import io.cellmesh.topics.trigger.TriggerPartition;
import io.cellmesh.topics.trigger.TriggerRegistry.Created;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Kafka keeps of triggers, on a real broker; each test has an instance of its own. */
class TriggerStateIT {
  private static final TriggerName NAME = new TriggerName("billing");
  private static final Reason REASON = new Reason("java.io.IOException", "no way");
  private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MILLIS);

  private static final AtomicLong ADDED_IDS = new AtomicLong();

  @TempDir private static Path dir;

  private static DevStack stack;
  private static Admin admin;

  @BeforeAll
  static void start() throws Exception {
    stack =
        DevStack.start(
            Options.defaults()
                .withStateDir(dir)
                .withDatacenters(1)
                .withoutMySql()
                .withWorkers(0)
                .withBrokerSetting(
                    "transaction.abort.timed.out.transaction.cleanup.interval.ms", "500"),
            Progress.silent());
    admin = stack.broker("dc1").admin();
  }

  @AfterAll
  static void stop() {
    admin.close();
    stack.close();
  }

  @Test
  void a_creation_is_one_thing_for_all_partitions_and_never_changes() throws Exception {
    var site = site("one");
    log(site, 0, "BASE", 3);
    log(site, 1, "BASE", 5);

    var created = create(site, Order.SHARD, new Start.Now());
    assertThat(created.isNew()).isTrue();
    assertThat(created.partitions()).extracting(Creation::begin).containsExactly(3L, 5L);
    assertThat(creations(site)).isEqualTo(created.partitions());
    assertThat(created.partitions()).extracting(Creation::begun).containsOnly(false);

    log(site, 0, "BASE", 1);
    var again = create(site, Order.SHARD, new Start.Now());
    assertThat(again.isNew()).isFalse();
    assertThat(again.partitions()).as("not begun anew").isEqualTo(created.partitions());

    assertThatThrownBy(() -> create(site, Order.ROW, new Start.Now()))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("trigger billing is created and never changes")
        .hasMessageContaining("order = shard, asked for was row");
    assertThat(creations(site)).isEqualTo(created.partitions());
  }

  @Test
  void of_two_that_create_at_once_one_does_and_the_other_is_told() throws Exception {
    var site = site("two");
    create(site, Order.SHARD, new Start.Now());
    var pool = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 6; round++) {
        var name = new TriggerName("race-" + round);
        var together = new CyclicBarrier(2);
        var done = new ArrayList<String>();
        for (var each :
            pool.invokeAll(
                List.of(
                    creating(site, name, Order.SHARD, together),
                    creating(site, name, Order.ROW, together)))) {
          done.add(each.get());
        }
        assertThat(done).as("round %d", round).containsExactlyInAnyOrder("created", "refused");
        assertThat(site.need(name))
            .extracting(p -> p.creation().orElseThrow().digest())
            .containsOnly(site.need(name).get(0).creation().orElseThrow().digest());
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void a_trigger_begins_where_it_was_asked_to_and_not_at_a_beginning_that_is_gone()
      throws Exception {
    var site = site("begins");
    var old = NOW.minusSeconds(7_200);
    logAt(site, 0, old);
    logAt(site, 0, old.plusSeconds(3_600));
    logAt(site, 1, old);
    log(site, 1, "BASE", 2);
    admin
        .deleteRecords(Map.of(new TopicPartition("begins.log", 1), RecordsToDelete.beforeOffset(1)))
        .all()
        .get();

    assertThat(create(site, new TriggerName("since"), new Start.Time(old.plusSeconds(60))))
        .isEqualTo(List.of(1L, 1L));
    assertThat(create(site, new TriggerName("late"), new Start.Time(NOW.plusSeconds(9_000))))
        .as("after the last record: the end")
        .isEqualTo(List.of(2L, 3L));
    assertThatThrownBy(() -> create(site, NAME, new Start.Beginning()))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("begins.log-1 begins at offset 1");
    var whatIsLeft =
        new TriggerSetup(
            NAME,
            Optional.empty(),
            List.of(),
            Order.SHARD,
            new Start.Beginning(),
            true,
            (short) -1);
    assertThat(whatIsLeft.run(site).partitions())
        .extracting(Creation::begin)
        .containsExactly(0L, 1L);
  }

  @Test
  void the_topic_of_a_column_is_made_and_has_no_beginning_where_the_log_began_before()
      throws Exception {
    var site = site("column");
    log(site, 0, "BASE", 1);
    var beginning = own("BASE", new Start.Beginning(), false);
    assertThatThrownBy(() -> beginning.run(site))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining(
            "column.trigger.BASE has 0 of the 1 cells that the log holds of shard 0");

    var created = own("BASE", new Start.Now(), false).run(site).partitions();

    assertThat(created).hasSize(2);
    assertThat(created.get(0).definition().topic()).isEqualTo("column.trigger.BASE");
    assertThat(created.get(0).definition().columns()).containsExactly("BASE");
    assertThatThrownBy(() -> own("A B", new Start.Now(), false))
        .hasMessageContaining("topic of column = \"A B\"");
  }

  @Test
  void the_topic_of_a_column_begins_behind_a_rebuild_once_it_has_what_the_log_has()
      throws Exception {
    var site = site("whole");
    own("BASE", new Start.Now(), false).run(site);
    var beginning = ofColumn(new TriggerName("all"), "BASE", new Start.Beginning(), false);
    write(site.topics().log(), 0, "BASE", 1, 2);
    write(site.topics().log(), 0, "STATUS", 3);
    write(site.topics().trigger("BASE"), 0, "BASE", 2);
    assertThatThrownBy(() -> beginning.run(site)).hasMessageContaining("has 0 of the 2 cells");

    write(site.topics().log(), 0, "BASE", 1, 2);
    write(site.topics().trigger("BASE"), 0, "BASE", 1, 2);

    assertThat(beginning.run(site).partitions())
        .extracting(Creation::begin)
        .containsExactly(1L, 0L);
    write(site.topics().log(), 0, "BASE", 4);
    assertThat(beginning.run(site).isNew()).as("what is created is not looked at again").isFalse();
  }

  @Test
  void a_reader_waits_for_a_dead_transaction_and_misses_nothing_that_is_committed_behind_it()
      throws Exception {
    var site = site("dead");
    create(site, Order.SHARD, new Start.Now());
    var first = new TopicPartition("dead.trigger-state", 0);
    try (var dead = transaction("dead-process", 5_000)) {
      dead.initTransactions();
      dead.beginTransaction();
      var pause = StateRecord.of(new StateKey.OfPause(NAME), new Pause("dead", NOW));
      dead.send(pause.in(first.topic(), 0)).get();
      put(site, 0, StateRecord.of(new StateKey.OfPause(NAME), pauseBy("ann")));
      assertThat(end(first, IsolationLevel.READ_COMMITTED))
          .as("what is committed stands behind the last stable offset")
          .isLessThan(end(first, IsolationLevel.READ_UNCOMMITTED) - 1);

      try (var hasty =
          new StateReader(site.kafka(), first.topic(), Duration.ofMillis(300), record -> {})) {
        assertThatThrownBy(hasty::readAll)
            .isInstanceOf(KafkaException.class)
            .hasMessageContaining("dead.trigger-state-0: read up to offset")
            .hasMessageContaining("a transaction that is open");
      }
      assertThat(site.need(NAME).get(0).pause()).hasValue(pauseBy("ann"));
    }
  }

  @Test
  void a_rewind_says_which_cells_would_come_again_and_is_asked_of_the_partitions_that_move()
      throws Exception {
    var site = site("rewind");
    create(site, NAME, new Start.Beginning());
    var bases =
        new TriggerSetup(
            new TriggerName("bases"),
            Optional.empty(),
            List.of("BASE"),
            Order.SHARD,
            new Start.Beginning(),
            false,
            (short) -1);
    bases.run(site);
    log(site, 0, "BASE", 4);
    log(site, 0, "STATUS", 2);
    log(site, 1, "STATUS", 3);
    commit("rewind-trigger-billing", site, 5, 0);
    commit("rewind-trigger-bases", site, 6, 3);

    var plan = plan(site, NAME, new Start.Beginning());
    assertThat(plan.count(passed -> {}))
        .as("behind offset 5 nothing has come yet")
        .containsExactly(entry("BASE", 4L), entry("STATUS", 1L));
    assertThat(plan(site, bases.name(), new Start.Beginning()).count(passed -> {}))
        .containsExactly(entry("BASE", 4L));
    assertThat(site.need(NAME).get(0).requests()).as("nothing is changed").isEmpty();

    plan.run("ann");
    assertThat(site.need(NAME).get(0).requests().values())
        .singleElement()
        .isInstanceOfSatisfying(
            Request.Rewind.class,
            asked -> {
              assertThat(asked.offset()).isZero();
              assertThat(asked.by()).isEqualTo("ann");
            });
    assertThat(site.need(NAME).get(1).requests()).as("it stands there already").isEmpty();
    assertThatThrownBy(() -> plan(site, NAME, new Start.Offsets(List.of(2L, 1L))))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("would skip the cells of rewind.log-1 from 0 on");
  }

  @Test
  void what_is_parked_is_shown_by_the_markers_of_its_rows_and_replayed_and_discarded_on_request()
      throws Exception {
    var site = site("parked");
    create(site, Order.ROW, new Start.Now());
    var row = row(site, 1, 0);
    var other = row(site, 1, 1);
    var parked = new ArrayList<Long>();
    parked.add(park(site, NAME, row, 1));
    park(site, new TriggerName("another"), row, 2);
    parked.add(park(site, NAME, other, 3));
    parked.add(park(site, NAME, row, 4));
    parked.add(park(site, NAME, row, 5));
    // The first of the row was replayed already.
    var marker = new ParkedRow(parked.get(0), parked.get(0) + 1, parked.get(3), 2, NOW, REASON);
    put(site, 1, StateRecord.of(new StateKey.OfRow(NAME, row), marker));
    var later =
        new ParkedRow(parked.get(1), parked.get(1), parked.get(1), 1, NOW.plusSeconds(1), REASON);
    put(site, 1, StateRecord.of(new StateKey.OfRow(NAME, other), later));

    var cells = ParkedCells.of(site, NAME);
    assertThat(cells.rows())
        .containsExactly(new ParkedCells.Row(row, 1, marker), new ParkedCells.Row(other, 1, later));
    assertThat(refs(sink -> cells.read(row, sink))).containsExactly(4L, 5L);
    assertThat(refs(cells::readAll)).containsExactly(3L, 4L, 5L);
    var shown = new ArrayList<ParkedCells.Cell>();
    cells.read(other, shown::add);
    assertThat(shown.get(0).why().reason()).isEqualTo(REASON);
    assertThat(shown.get(0).why().attempts()).isEqualTo(7);

    var requests = new TriggerRequests(site, NAME, "ann");
    requests.replay(row);
    requests.discard(other);
    assertThat(requests.replayAll()).isEqualTo(2);
    assertThat(site.need(NAME).get(1).requests().values())
        .extracting(request -> request.getClass().getSimpleName())
        .containsExactly("Replay", "Discard", "ReplayAll");
    assertThat(site.need(NAME).get(0).requests()).isEmpty();
    assertThatThrownBy(() -> requests.replay(row(site, 0, 0)))
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("is not parked by trigger billing");
  }

  @Test
  void a_pause_stands_in_every_partition_until_it_is_resumed() throws Exception {
    var site = site("paused");
    create(site, Order.SHARD, new Start.Now());
    var requests = new TriggerRequests(site, NAME, "ann");

    assertThat(requests.pause()).isTrue();
    assertThat(new TriggerRequests(site, NAME, "ben").pause()).as("again").isFalse();
    assertThat(site.need(NAME))
        .extracting(partition -> partition.pause().orElseThrow().by())
        .containsExactly("ann", "ann");
    assertThat(requests.resume()).isTrue();
    assertThat(site.need(NAME)).allMatch(partition -> partition.pause().isEmpty());
    assertThat(requests.resume()).as("again").isFalse();
    assertThatThrownBy(() -> new TriggerRequests(site, new TriggerName("none"), "ann").pause())
        .isInstanceOf(OperationException.class)
        .hasMessageContaining("there is no trigger none in dc1");
  }

  @Test
  void the_status_says_how_far_a_trigger_is_behind_who_runs_it_and_what_holds_it_up()
      throws Exception {
    var site = site("status");
    try (var inspection = new TriggerInspection(site)) {
      assertThat(inspection.all()).isEmpty();
      create(site, NAME, new Start.Beginning());
      log(site, 0, "BASE", 2);
      logAt(site, 1, NOW.minusSeconds(3_600));
      log(site, 1, "BASE", 3);
      commit("status-trigger-billing", site, 2, 0);

      var left = inspection.of(NAME);
      assertThat(left.works()).isFalse();
      assertThat(left.findings()).containsExactly("does not run");
      assertThat(left.lagCells()).isEqualTo(4);
      assertThat(left.partitions().get(0).lag()).as("at the end").isZero();
      assertThat(left.lag()).isBetween(Duration.ofSeconds(3_600), Duration.ofSeconds(3_600 + 600));

      try (var member = member(site, NAME)) {
        var id = member.groupMetadata().memberId();
        put(site, 0, StateRecord.of(new StateKey.OfHealth(NAME, id), halted()));
        put(site, 0, StateRecord.of(new StateKey.OfHealth(NAME, "gone"), halted()));
        var halted = inspection.all().get(0);
        assertThat(halted.members()).hasSize(1);
        assertThat(halted.members().get(0).partitions()).containsExactly(0, 1);
        assertThat(halted.findings())
            .containsExactly(id + " is halted: java.io.IOException: no way");
      }

      var begun = site.need(NAME).get(1).creation().orElseThrow().asBegun();
      put(site, 1, StateRecord.of(new StateKey.OfCreation(NAME), begun));
      admin.deleteConsumerGroups(List.of("status-trigger-billing")).all().get();
      assertThat(inspection.of(NAME).findings())
          .anySatisfy(finding -> assertThat(finding).startsWith("status.log-1: its place is gone"));
      assertThat(inspection.of(NAME).partitions().get(0).finding())
          .as("which had not begun")
          .isEmpty();
    }
  }

  @Test
  void a_trigger_that_runs_is_not_deleted_and_one_that_does_not_goes_with_its_place()
      throws Exception {
    var site = site("deleted");
    create(site, Order.SHARD, new Start.Now());
    var kept = new TriggerName("billing-2");
    create(site, kept, new Start.Now());
    new TriggerRequests(site, NAME, "ann").pause();
    var row = row(site, 0, 0);
    long at = park(site, NAME, row, 1);
    put(
        site,
        0,
        StateRecord.of(new StateKey.OfRow(NAME, row), new ParkedRow(at, at, at, 1, NOW, REASON)));
    try (var producer = producer()) {
      var damaged = "billing|health|x".getBytes();
      producer
          .send(new ProducerRecord<>("deleted.trigger-state", 0, damaged, "{".getBytes()))
          .get();
    }
    var deletion = new TriggerDeletion(site, NAME);
    try (var member = member(site, NAME)) {
      assertThatThrownBy(deletion::run)
          .as("while %s is one", member.groupMetadata().memberId())
          .isInstanceOf(OperationException.class)
          .hasMessageContaining(
              "trigger billing runs: group deleted-trigger-billing has members (1)");
      member.commitSync(Map.of(new TopicPartition("deleted.log", 0), new OffsetAndMetadata(0)));
    }

    assertThat(deletion.parked()).as("what is damaged can't be counted").isEmpty();
    deletion.run();

    assertThat(GroupLag.committed(admin, "deleted-trigger-billing")).isEmpty();
    assertThatThrownBy(() -> site.need(NAME)).isInstanceOf(OperationException.class);
    assertThat(site.need(kept)).as("whose name begins alike").hasSize(2);
    assertThatThrownBy(deletion::run).hasMessageContaining("there is no trigger billing");
    assertThat(deletion.parked()).isEqualTo(OptionalLong.of(0));
    assertThat(create(site, Order.ROW, new Start.Now()).isNew()).isTrue();
    assertThat(site.need(NAME)).allMatch(partition -> partition.parked().isEmpty());
  }

  private interface Reading {
    void into(java.util.function.Consumer<ParkedCells.Cell> sink);
  }

  private static List<Long> refs(Reading reading) {
    var refs = new ArrayList<Long>();
    reading.into(cell -> refs.add(cell.cell().orElseThrow().cell().key().refKey()));
    return refs;
  }

  private static Callable<String> creating(
      TriggerSite site, TriggerName name, Order order, CyclicBarrier together) {
    return () -> {
      together.await();
      try {
        return setup(name, order, new Start.Now()).run(site).isNew() ? "created" : "found";
      } catch (OperationException e) {
        return e.kind() == OperationException.Kind.REFUSED ? "refused" : e.getMessage();
      }
    };
  }

  private static TriggerRewind plan(TriggerSite site, TriggerName name, Start to)
      throws InterruptedException {
    return TriggerRewind.plan(site, name, to, Optional.empty(), false);
  }

  private static TriggerSetup own(String column, Start start, boolean whatIsLeft) {
    return ofColumn(NAME, column, start, whatIsLeft);
  }

  private static TriggerSetup ofColumn(
      TriggerName name, String column, Start start, boolean whatIsLeft) {
    return new TriggerSetup(
        name, Optional.of(column), List.of(), Order.SHARD, start, whatIsLeft, (short) -1);
  }

  private static TriggerSetup setup(TriggerName name, Order order, Start start) {
    return new TriggerSetup(name, Optional.empty(), List.of(), order, start, false, (short) -1);
  }

  private static Created create(TriggerSite site, Order order, Start start)
      throws InterruptedException {
    return setup(NAME, order, start).run(site);
  }

  private static List<Long> create(TriggerSite site, TriggerName name, Start start)
      throws InterruptedException {
    return setup(name, Order.SHARD, start).run(site).partitions().stream()
        .map(Creation::begin)
        .toList();
  }

  private static List<Creation> creations(TriggerSite site) throws InterruptedException {
    return site.need(NAME).stream()
        .map(TriggerPartition::creation)
        .map(Optional::orElseThrow)
        .toList();
  }

  private static Pause pauseBy(String who) {
    return new Pause(who, NOW);
  }

  private static MemberHealth halted() {
    return new MemberHealth(
        NOW,
        new MemberHealth.Seen(9, 9, 2),
        new MemberHealth.Seen(9, 9, 2),
        true,
        Optional.of(REASON));
  }

  private static TriggerSite site(String instance) throws Exception {
    var topology =
        TopologyYaml.parse(
            """
            instance: %s
            shards: 2
            partitions: 2
            datacenter: dc1
            clusters:
              - {name: c1, shards: 0-1, epoch: 1, master: {url: "mysql://127.0.0.1:1"}}
            """
                .formatted(instance));
    // The others are missing, as in an instance that is older than triggers.
    admin.createTopics(List.of(new NewTopic(topology.topics().log(), 2, (short) 1))).all().get();
    return new TriggerSite(
        new DataCenter(
            "dc1",
            topology,
            TopologyStore.ofFile(Path.of("topology.yaml")),
            FixedAccess.plain(
                stack.broker("dc1").bootstrap(),
                URI.create("http://127.0.0.1:1"),
                new Credentials("root", ""))));
  }

  /** A row of a partition, which is that of its shard here. */
  private static UUID row(TriggerSite site, int partition, int number) {
    int found = 0;
    for (long i = 0; ; i++) {
      var row = new UUID(0x4000L, 0x8000000000000000L | i);
      if (site.partitionOf(row) == partition && found++ == number) {
        return row;
      }
    }
  }

  /** Records that are no cells, so that nothing but their headers says a column. */
  private static void log(TriggerSite site, int partition, String column, int count)
      throws Exception {
    write(
        site.topics().log(),
        partition,
        column,
        LongStream.range(0, count).map(i -> ADDED_IDS.incrementAndGet()).toArray());
  }

  private static void write(String topic, int partition, String column, long... addedIds)
      throws Exception {
    try (var producer = producer()) {
      for (var id : addedIds) {
        var record = new ProducerRecord<byte[], byte[]>(topic, partition, null, new byte[1]);
        record
            .headers()
            .add(Envelope.COLUMN_HEADER, column.getBytes())
            .add(Envelope.SHARD_HEADER, Integer.toString(partition).getBytes())
            .add(Envelope.ADDED_ID_HEADER, Long.toString(id).getBytes());
        producer.send(record).get();
      }
    }
  }

  private static void logAt(TriggerSite site, int partition, Instant at) throws Exception {
    var cell = cell(row(site, partition, 0), 1, at);
    try (var producer = producer()) {
      producer
          .send(
              new ProducerRecord<>(
                  site.topics().log(),
                  partition,
                  at.toEpochMilli(),
                  Envelope.key(cell.cell().key()),
                  Envelope.write(cell)))
          .get();
    }
  }

  private static LogRecord cell(UUID row, long ref, Instant at) throws Exception {
    var key = new CellKey(row, "BASE", ref);
    return new LogRecord(
        new Cell(key, Body.ofJson("{}"), Optional.of(new Origin("dc1", ref))), 0, ref, at);
  }

  private static long park(TriggerSite site, TriggerName name, UUID row, long ref)
      throws Exception {
    int partition = site.partitionOf(row);
    var cell = cell(row, ref, NOW);
    var why =
        new ParkedRecord(
            name, REASON, 7, NOW, NOW, new TopicPartition(site.topics().log(), partition), ref);
    var record =
        why.of(
            site.topics().parked(),
            new ConsumerRecord<>(
                site.topics().log(),
                partition,
                ref,
                Envelope.key(cell.cell().key()),
                Envelope.write(cell)));
    try (var producer = producer()) {
      return producer.send(record).get().offset();
    }
  }

  private static void put(TriggerSite site, int partition, StateRecord record) throws Exception {
    try (var producer = producer()) {
      producer.send(record.in(site.topics().triggerState(), partition)).get();
    }
  }

  private static KafkaProducer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        Map.<String, Object>of("bootstrap.servers", stack.broker("dc1").bootstrap()),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static KafkaProducer<byte[], byte[]> transaction(String id, int timeoutMs) {
    return new KafkaProducer<>(
        Map.<String, Object>of(
            "bootstrap.servers",
            stack.broker("dc1").bootstrap(),
            "transactional.id",
            id,
            "transaction.timeout.ms",
            timeoutMs),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static KafkaConsumer<byte[], byte[]> member(TriggerSite site, TriggerName name) {
    var member =
        new KafkaConsumer<>(
            Map.<String, Object>of(
                "bootstrap.servers",
                stack.broker("dc1").bootstrap(),
                "group.id",
                site.group(name),
                "enable.auto.commit",
                false,
                "auto.offset.reset",
                "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    member.subscribe(List.of(site.topics().log()));
    while (member.assignment().isEmpty()) {
      member.poll(Duration.ofMillis(100));
    }
    return member;
  }

  private static void commit(String group, TriggerSite site, long first, long second)
      throws Exception {
    var all = new HashMap<TopicPartition, OffsetAndMetadata>();
    all.put(new TopicPartition(site.topics().log(), 0), new OffsetAndMetadata(first));
    all.put(new TopicPartition(site.topics().log(), 1), new OffsetAndMetadata(second));
    admin.alterConsumerGroupOffsets(group, all).all().get();
  }

  private static long end(TopicPartition partition, IsolationLevel isolation) throws Exception {
    return admin
        .listOffsets(Map.of(partition, OffsetSpec.latest()), new ListOffsetsOptions(isolation))
        .all()
        .get()
        .get(partition)
        .offset();
  }
}
