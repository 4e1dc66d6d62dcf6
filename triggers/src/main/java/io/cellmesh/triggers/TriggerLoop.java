package io.cellmesh.triggers;

import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.topics.trigger.MemberHealth;
import io.cellmesh.topics.trigger.Reason;
import io.cellmesh.topics.trigger.StateReader;
import io.cellmesh.topics.trigger.TriggerPartition;
import io.cellmesh.topics.trigger.TriggerStates;
import io.cellmesh.triggers.OwnedPartition.Stage;
import io.cellmesh.triggers.TriggerState.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the partitions that the group gives to this process, hands their cells to the dispatcher,
 * and writes down what becomes of them (design note 23). One thread does all of that; callbacks
 * have theirs.
 */
final class TriggerLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TriggerLoop.class);
  private static final Duration POLL = Duration.ofMillis(50);

  /** While something is not read because memory is full. */
  private static final Duration SHORT_POLL = Duration.ofMillis(2);

  private static final Duration ANSWER = Duration.ofMillis(500);
  private static final int RECORDS = 2_000;
  private static final int LARGEST = 5 << 20;

  private final TriggerOptions options;
  private final SharedDispatcher dispatcher;
  private final Notebook notebook;
  private final Replays replays;
  private final TriggerFigures figures;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final StateReader stateReader;
  private final TriggerStates states;
  private final Transactions transactions;
  private final Members members;
  private final RecordReader records;
  private final OwnedPartitions owned;
  private final HandOver handOver;
  private final PartitionTakeover takeover;
  private final ParkingTransactions parkings;
  private final RequestHandler requests;
  private final CommitWatch watch;
  private volatile boolean ending;
  private boolean committing;
  private long commitDue = System.nanoTime();
  private volatile TriggerState state = TriggerState.STARTING;

  TriggerLoop(
      TriggerOptions options,
      SharedDispatcher dispatcher,
      Notebook notebook,
      Replays replays,
      Members members,
      TriggerFigures figures) {
    this.options = options;
    this.dispatcher = dispatcher;
    this.notebook = notebook;
    this.replays = replays;
    this.members = members;
    this.figures = figures;
    this.states = TriggerStates.of(options.name());
    this.consumer = open(options);
    boolean opened = false;
    try {
      this.stateReader =
          new StateReader(
              options.kafka(),
              options.topics().triggerState(),
              StateReader.PATIENCE,
              states::accept);
      opened = true;
    } finally {
      if (!opened) {
        consumer.close();
      }
    }
    this.records = new RecordReader(options.shards().count());
    this.watch = new CommitWatch(options.session(), System::nanoTime);
    this.transactions =
        new Transactions(
            options.group(),
            () -> Transactions.open(options.kafka(), options.group()),
            consumer::groupMetadata);
    this.owned = new OwnedPartitions(options, consumer, dispatcher, replays);
    this.handOver = new HandOver(options, consumer, owned, dispatcher, replays, notebook);
    var writer = new StateWriter(options, owned, dispatcher, transactions);
    this.takeover =
        new PartitionTakeover(options, consumer, owned, dispatcher, stateReader, states, writer);
    this.parkings = new ParkingTransactions(options, owned, dispatcher, transactions, figures);
    this.requests = new RequestHandler(options, owned, dispatcher, states, replays, writer);
  }

  private static KafkaConsumer<byte[], byte[]> open(TriggerOptions options) {
    var config = options.kafka().client();
    config.put(ConsumerConfig.GROUP_ID_CONFIG, options.group());
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, LARGEST);
    config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, RECORDS);
    config.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        CooperativeStickyAssignor.class.getName());
    config.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, (int) options.session().toMillis());
    config.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, (int) options.session().toMillis() / 4);
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Where it is, as of its last turn. */
  TriggerState state() {
    return state;
  }

  /** Ends {@link #run}. */
  void wakeUp() {
    ending = true;
    consumer.wakeup();
  }

  /**
   * Runs until it is woken up, then hands its partitions on.
   *
   * @throws KafkaException if Kafka refuses what it needs, so that it has to be opened anew
   */
  void run() throws InterruptedException {
    try {
      stateReader.follow(Set.of(Members.PARTITION));
      consumer.subscribe(List.of(options.definition().topic()), new Rebalancing());
      while (!ending) {
        turn();
      }
    } catch (WakeupException e) {
      LOG.debug("Woken up to end");
    }
    // While the consumer closes it says nothing to the group, which would take it for dead.
    handOver.all();
    drop(owned.all().stream().map(partition -> partition.at).toList());
  }

  @Override
  public void close() {
    try {
      // Hands on what there is: the listener commits it.
      consumer.close();
    } finally {
      drop(owned.all().stream().map(partition -> partition.at).toList());
      dispatcher.with(
          (core, now) -> {
            core.abandonParking();
            return null;
          });
      transactions.close();
      stateReader.close();
      records.close();
    }
  }

  private void turn() throws InterruptedException {
    dispatcher.check();
    var read = poll();
    stateReader.poll(Duration.ZERO);
    takeover.goOn();
    feed(read);
    steer();
    var cutOff = watch.cutOff();
    if (cutOff.isPresent() && state.phase() != Phase.WAITING) {
      LOG.warn("Trigger {} calls nobody back: {}", options.name(), cutOff.get());
    }
    boolean paused = isPaused() || cutOff.isPresent();
    replays.pause(paused);
    // A commit that is under way may name an earlier offset than a transaction's, and overtake it.
    if (!committing) {
      setAside();
      parkings.park();
      requests.carryOut();
    }
    commit();
    dispatcher.feed(
        (core, now) -> {
          core.pause(paused);
          members.meet(core, now, consumer.groupMetadata().memberId(), health());
          return null;
        });
    state =
        cutOff
            .map(why -> TriggerState.bare(Phase.WAITING, why))
            .orElseGet(() -> TriggerState.of(owned.all(), members, isPaused(), behind(), figures));
  }

  private Map<String, MemberHealth> health() {
    return states.partition(options.name(), Members.PARTITION).health();
  }

  private ConsumerRecords<byte[], byte[]> poll() {
    boolean full = owned.running().anyMatch(partition -> partition.paused);
    try {
      return consumer.poll(full ? SHORT_POLL : POLL);
    } catch (OffsetOutOfRangeException e) {
      e.offsetOutOfRangePartitions().forEach(owned::haltAtGap);
      return ConsumerRecords.empty();
    }
  }

  private TriggerPartition stateOf(OwnedPartition partition) {
    return states.partition(options.name(), partition.at.partition());
  }

  private void feed(ConsumerRecords<byte[], byte[]> read) {
    if (read.isEmpty()) {
      return;
    }
    var deliveries = new LinkedHashMap<TopicPartition, List<Delivery>>();
    for (var at : read.partitions()) {
      owned
          .get(at)
          .filter(partition -> partition.stage == Stage.RUNNING)
          .ifPresent(partition -> deliveries.put(at, deliveries(partition, read.records(at))));
    }
    dispatcher.feed(
        (core, now) -> {
          deliveries.forEach((at, cells) -> cells.forEach(cell -> core.read(at, cell, now)));
          return null;
        });
  }

  private List<Delivery> deliveries(
      OwnedPartition partition, List<ConsumerRecord<byte[], byte[]>> read) {
    var deliveries = new ArrayList<Delivery>(read.size());
    for (var record : read) {
      try {
        deliveries.add(records.read(record));
        partition.lastFed = Math.max(partition.lastFed, record.offset());
      } catch (InvalidCellException e) {
        partition.damaged = record;
        partition.damage = Reason.of(e);
        break;
      }
    }
    return deliveries;
  }

  /** Once all before it is finished, so that nothing is skipped. */
  private void setAside() throws InterruptedException {
    for (var partition : owned.running().filter(p -> p.damaged != null).toList()) {
      var place = dispatcher.with((core, now) -> core.place(partition.at));
      if (place.offset() > partition.lastFed) {
        parkings.setAside(partition);
      }
    }
  }

  /** Has read again what was left out, and pauses reading of what there is no room for. */
  private void steer() {
    var seeks = new HashMap<TopicPartition, Long>();
    var wanted = new HashSet<TopicPartition>();
    dispatcher.with(
        (core, now) -> {
          owned
              .running()
              .forEach(
                  partition -> {
                    core.seek(partition.at).ifPresent(offset -> seeks.put(partition.at, offset));
                    if (core.wants(partition.at)) {
                      wanted.add(partition.at);
                    }
                  });
          return null;
        });
    seeks.forEach(
        (at, offset) -> {
          consumer.seek(at, offset);
          owned.get(at).orElseThrow().damaged = null;
        });
    owned
        .running()
        .forEach(
            partition -> {
              if (wanted.contains(partition.at) && partition.damaged == null) {
                owned.resume(partition);
              } else {
                owned.pause(partition);
              }
            });
  }

  private long behind() {
    return owned
        .running()
        .mapToLong(partition -> consumer.currentLag(partition.at).orElse(0))
        .sum();
  }

  private boolean isPaused() {
    return owned.all().stream().anyMatch(partition -> stateOf(partition).pause().isPresent());
  }

  private void commit() {
    if (committing || System.nanoTime() - commitDue < 0) {
      return;
    }
    commitDue = System.nanoTime() + options.commitInterval().toNanos();
    var commits = owned.commits(owned.running().map(partition -> partition.at).toList());
    notebook.send(dispatcher.with((core, now) -> core.cleared()));
    if (commits.isEmpty()) {
      watch.succeeded();
      return;
    }
    watch.begun();
    committing = true;
    consumer.commitAsync(
        Transactions.offsets(commits),
        (offsets, failure) -> {
          committing = false;
          if (failure == null) {
            watch.succeeded();
            committed(commits);
          } else {
            watch.failed(failure);
            LOG.debug(
                "A commit of {} failed; the next one says it again", options.group(), failure);
          }
        });
  }

  private void committed(Map<TopicPartition, Commit> commits) {
    dispatcher.feed(
        (core, now) -> {
          commits.forEach(core::committed);
          return null;
        });
  }

  /** What the group gives and takes. */
  private final class Rebalancing implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      owned.add(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      handOver.some(partitions);
      drop(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      LOG.warn("Trigger {} has lost {}", options.name(), partitions);
      drop(partitions);
    }
  }

  private void drop(Collection<TopicPartition> partitions) {
    owned.remove(partitions);
    for (var at : partitions) {
      if (at.partition() != Members.PARTITION) {
        stateReader.release(Set.of(at.partition()));
        states.release(at.partition());
      }
    }
  }
}
