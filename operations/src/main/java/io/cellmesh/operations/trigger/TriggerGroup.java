package io.cellmesh.operations.trigger;

import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.operations.trigger.TriggerStatus.Member;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;

/** The consumer group of a trigger's processes. */
final class TriggerGroup {
  private TriggerGroup() {}

  /** Those that are in it; one that was killed is until its session is over. */
  static List<Member> members(Admin admin, String group) throws InterruptedException {
    try {
      return admin.describeConsumerGroups(List.of(group)).all().get().get(group).members().stream()
          .map(TriggerGroup::member)
          .toList();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return List.of();
      }
      throw failure("Describe", group, e.getCause());
    }
  }

  /**
   * Deletes the group with its offsets; one that is not there counts as deleted.
   *
   * @return whether it could be: a group that has members can't
   */
  static boolean delete(Admin admin, String group) throws InterruptedException {
    try {
      admin.deleteConsumerGroups(List.of(group)).all().get();
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return true;
      }
      if (e.getCause() instanceof GroupNotEmptyException) {
        return false;
      }
      throw failure("Delete", group, e.getCause());
    }
  }

  private static Member member(MemberDescription member) {
    return new Member(
        member.consumerId(),
        member.clientId(),
        member.host().replaceFirst("^/", ""),
        member.assignment().topicPartitions().stream()
            .map(TopicPartition::partition)
            .sorted()
            .toList());
  }

  private static KafkaException failure(String right, String group, Throwable cause) {
    return cause instanceof AuthorizationException refusal
        ? MissingRightException.of(right, "group " + group, refusal)
        : new KafkaException("group %s: %s".formatted(group, cause.getMessage()), cause);
  }
}
