package io.cellmesh.examples.billing;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.examples.billing.PaymentProvider.Attempt;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.triggers.CellCallback;
import io.cellmesh.triggers.ParkException;
import io.cellmesh.triggers.RetryLaterException;
import io.cellmesh.triggers.Trigger;
import io.cellmesh.triggers.TriggeredCell;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bills a trip when its BASE cell is written: charges its card, and writes what came of it into the
 * column STATUS of the same row, the first attempt as ref_key 1, the second as 2.
 *
 * <p>A trigger calls at least once, so both may happen again: the provider goes by the trip, and a
 * STATUS cell that is written again has an equal body, which changes nothing (invariant 3).
 */
public final class Billing implements CellCallback, AutoCloseable {
  public static final String NAME = "billing";
  public static final String BASE = "BASE";
  public static final String STATUS = "STATUS";

  private static final Logger LOG = LoggerFactory.getLogger(Billing.class);
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /** Days for a bank; somebody who looks on does not wait so long. */
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(1);

  private final PaymentProvider provider;
  private final Producer<byte[], byte[]> producer;
  private final String cells;

  /**
   * @param producer into the topic of cells; closed with this
   * @param cells the topic
   */
  Billing(PaymentProvider provider, Producer<byte[], byte[]> producer, String cells) {
    this.provider = provider;
    this.producer = producer;
    this.cells = cells;
  }

  /** Writes into a data centre. */
  public static Billing of(DataCenter datacenter, PaymentProvider provider) {
    return new Billing(
        provider,
        new KafkaProducer<>(
            datacenter.kafka().client(), new ByteArraySerializer(), new ByteArraySerializer()),
        datacenter.topology().topics().cells());
  }

  /** The trigger, to be started. One trip's declined card holds up no other trip. */
  public Trigger trigger(DataCenter datacenter) {
    return Trigger.named(NAME).on(BASE).of(datacenter).ordered(Order.ROW).call(this);
  }

  @Override
  public void call(TriggeredCell cell) throws Exception {
    var trip = cell.row();
    var attempts = provider.charge(trip, fare(cell));
    write(trip, attempts);
    var last = attempts.get(attempts.size() - 1);
    LOG.info("Trip {}: {} at attempt {}", trip, state(last), last.number());
    if (!last.charged()) {
      throw new RetryLaterException(
          "the card was declined at attempt " + last.number(), BETWEEN_ATTEMPTS);
    }
  }

  @Override
  public void close() {
    producer.close();
  }

  /** Also the earlier ones: a process may have died between an attempt and its cell. */
  private void write(UUID trip, List<Attempt> attempts) throws Exception {
    var sent = new ArrayList<Future<?>>();
    for (var attempt : attempts) {
      var cell = status(trip, attempt);
      sent.add(
          producer.send(
              new ProducerRecord<>(cells, Envelope.key(cell.key()), Envelope.write(cell))));
    }
    // Only what Kafka has accepted is written; the trip is done with when this returns.
    for (var each : sent) {
      each.get();
    }
  }

  /** Follows from the attempt alone, without any time, so that it is the same again. */
  private static Cell status(UUID trip, Attempt attempt) throws InvalidCellException {
    var body =
        Body.ofJson(
            "{\"state\":\"%s\",\"amount\":%s,\"attempt\":%d}"
                .formatted(state(attempt), attempt.amount(), attempt.number()));
    return new Cell(new CellKey(trip, STATUS, attempt.number()), body, Optional.empty());
  }

  private static String state(Attempt attempt) {
    return attempt.charged() ? "charged" : "declined";
  }

  /** Of {@code {"fare":12.5}} as well as {@code {"fare":{"amount":12.5,"currency":"DKK"}}}. */
  private static BigDecimal fare(TriggeredCell cell) throws IOException, ParkException {
    var fare = JSON.readTree(cell.record().cell().body().toJson()).path("fare");
    var amount = fare.isNumber() ? fare : fare.path("amount");
    if (!amount.isNumber() || amount.decimalValue().signum() < 0) {
      throw new ParkException("fare, or fare.amount: must be a number that is not negative");
    }
    return amount.decimalValue();
  }
}
