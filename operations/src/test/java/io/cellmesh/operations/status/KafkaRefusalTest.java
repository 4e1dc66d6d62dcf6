package io.cellmesh.operations.status;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KafkaRefusalTest {
  @Test
  void whatKafkaRefusesIsToldWithTheRightAndTheRole() {
    var trace =
        """
        org.apache.kafka.connect.errors.ConnectException: Exiting WorkerSinkTask due to unrecoverable exception.
        \tat org.apache.kafka.connect.runtime.WorkerSinkTask.poll(WorkerSinkTask.java:1)
        Caused by: org.apache.kafka.common.errors.GroupAuthorizationException: Not authorized to access group: connect-trips-sink
        """;

    assertThat(KafkaRefusal.of(trace, "sink"))
        .hasValue(
            "its Kafka user lacks Read on the group: Not authorized to access group: connect-trips-sink; `cellmesh grants --kafka --role sink` prints its ACLs");
    assertThat(KafkaRefusal.of("x: db1:3306 can't be checked", "sink")).isEmpty();
  }

  @Test
  void aSourceWritesAndASinkReads() {
    var trace =
        "org.apache.kafka.common.errors.TopicAuthorizationException: Not authorized to access topics: [trips.log]";

    assertThat(KafkaRefusal.of(trace, "source").orElseThrow()).contains("Write on the topic");
    assertThat(KafkaRefusal.of(trace, "index").orElseThrow()).contains("Read on the topic");
  }

  @Test
  void aTopicThatASourceMayNotSeeIsNotSaidToBeMissing() {
    var trace =
        "org.apache.kafka.connect.errors.ConnectException: Task failed to create new topic (name=trips.log, numPartitions=4). Ensure that the task is authorized to create topics";

    assertThat(KafkaRefusal.of(trace, "source").orElseThrow())
        .contains("Write on the topic: trips.log;");
  }

  @Test
  void aTopicOfDeadLettersThatASinkMayNotSeeIsNotSaidToBeUnread() {
    var trace =
        """
        org.apache.kafka.connect.errors.ConnectException: Could not initialize dead letter queue with topic=trips.unindexed
        Caused by: java.util.concurrent.ExecutionException: org.apache.kafka.common.errors.TopicAuthorizationException: Authorization failed.
        """;

    assertThat(KafkaRefusal.of(trace, "index").orElseThrow())
        .contains("Write on the topic: trips.unindexed;");
  }
}
