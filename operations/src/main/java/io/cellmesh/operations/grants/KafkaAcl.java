package io.cellmesh.operations.grants;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** What a user may do with one resource, or with all whose names begin alike. */
public record KafkaAcl(ResourcePattern resource, List<AclOperation> operations) {
  public KafkaAcl {
    operations = List.copyOf(operations);
  }

  static KafkaAcl topic(String name, AclOperation... operations) {
    return of(ResourceType.TOPIC, name, PatternType.LITERAL, operations);
  }

  static KafkaAcl topics(String prefix, AclOperation... operations) {
    return of(ResourceType.TOPIC, prefix, PatternType.PREFIXED, operations);
  }

  static KafkaAcl group(String name, AclOperation... operations) {
    return of(ResourceType.GROUP, name, PatternType.LITERAL, operations);
  }

  static KafkaAcl groups(String prefix, AclOperation... operations) {
    return of(ResourceType.GROUP, prefix, PatternType.PREFIXED, operations);
  }

  static KafkaAcl transaction(String id, AclOperation... operations) {
    return of(ResourceType.TRANSACTIONAL_ID, id, PatternType.LITERAL, operations);
  }

  static KafkaAcl transactions(String prefix, AclOperation... operations) {
    return of(ResourceType.TRANSACTIONAL_ID, prefix, PatternType.PREFIXED, operations);
  }

  private static KafkaAcl of(
      ResourceType type, String name, PatternType pattern, AclOperation... operations) {
    return new KafkaAcl(new ResourcePattern(type, name, pattern), List.of(operations));
  }

  /** The same for Kafka's admin client. */
  public List<AclBinding> bindings(String user) {
    return operations.stream()
        .map(
            operation ->
                new AclBinding(
                    resource,
                    new AccessControlEntry(
                        "User:" + user, "*", operation, AclPermissionType.ALLOW)))
        .toList();
  }

  /** The options of Kafka's {@code kafka-acls.sh} that say this. */
  String options() {
    var all =
        operationNames().stream()
            .map(name -> "--operation " + name)
            .collect(Collectors.joining(" "));
    var option = resource.resourceType().name().toLowerCase(Locale.ROOT);
    return "%s --%s '%s'%s"
        .formatted(
            all,
            option.replace('_', '-'),
            resource.name(),
            resource.patternType() == PatternType.PREFIXED
                ? " --resource-pattern-type prefixed"
                : "");
  }

  /** The operations as Kafka's documentation writes them: {@code DescribeConfigs}. */
  public List<String> operationNames() {
    return operations.stream().map(operation -> camel(operation.name())).toList();
  }

  private static String camel(String name) {
    return Arrays.stream(name.split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }
}
