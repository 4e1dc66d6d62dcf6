package io.cellmesh.examples.billing;

import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;

/** Whoever charges cards, and remembers what was charged. */
public interface PaymentProvider {
  /**
   * Charges the card of a trip, unless that was done before. The trip is the idempotency key: it is
   * charged at most once, however often and from wherever this is called.
   *
   * @return every attempt at the trip so far, at least one, oldest first; the last one was charged
   *     or else all were declined
   * @throws Exception if it does not answer; whether the card was charged is not known then, and
   *     the next call tells
   */
  List<Attempt> charge(UUID trip, BigDecimal amount) throws Exception;

  /**
   * An attempt at a card, which never changes.
   *
   * @param number from 1
   * @param charged false if the card was declined
   */
  record Attempt(int number, BigDecimal amount, boolean charged) {}
}
