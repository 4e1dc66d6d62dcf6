/**
 * The proof that an instance holds what it promises, from what is retained: conservation, order,
 * indexes and mesh (invariants 2, 4, 7 and 9).
 *
 * <p>Each check is a class that is fed with records and rows and knows nothing of Kafka and MySQL.
 * {@link io.cellmesh.operations.verify.Verifier} feeds them, partition after partition on a few
 * threads: since P divides S, a partition of every topic and the shards that are congruent to it
 * stand by themselves, and memory is bounded by the largest partitions, one a thread and data
 * centre.
 */
package io.cellmesh.operations.verify;
