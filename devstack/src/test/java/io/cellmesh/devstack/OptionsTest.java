package io.cellmesh.devstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OptionsTest {
  private static final StackPlan.Mysql NO_MYSQL = null;

  @Test
  void byDefaultThereAreTwoDatacentersOfTwoClustersABrokerAndAWorker() {
    var plan = StackPlan.of(Options.defaults(), NO_MYSQL);

    assertThat(plan.dcs()).extracting(StackPlan.DcPlan::name).containsExactly("dc1", "dc2");
    var dc1 = plan.dcs().get(0);
    assertThat(dc1.brokers().get(0).name()).isEqualTo("dc1-kafka");
    assertThat(dc1.workers()).extracting(StackPlan.WorkerPlan::name).containsExactly("dc1-connect");
    assertThat(dc1.clusters())
        .extracting(StackPlan.ClusterPlan::shards)
        .containsExactly("0-31", "32-63");
    assertThat(dc1.clusters().get(1).servers())
        .extracting(StackPlan.ServerPlan::name)
        .containsExactly("dc1-c2-m", "dc1-c2-s1");
  }

  @Test
  void everyServerHasAPortAnIdAndADomainOfItsOwn() {
    var servers =
        StackPlan.of(Options.defaults().withMinions(2), NO_MYSQL).dcs().stream()
            .flatMap(dc -> dc.clusters().stream())
            .flatMap(cluster -> cluster.servers().stream())
            .toList();

    assertThat(servers).hasSize(12);
    assertThat(servers).extracting(StackPlan.ServerPlan::port).doesNotHaveDuplicates();
    assertThat(servers).extracting(StackPlan.ServerPlan::serverId).doesNotHaveDuplicates();
    assertThat(servers).extracting(StackPlan.ServerPlan::domain).doesNotHaveDuplicates();
  }

  @Test
  void partsCanBeLeftOut() {
    var mysqlOnly = StackPlan.of(Options.defaults().withoutKafka(), NO_MYSQL).dcs().get(0);
    var kafkaOnly = StackPlan.of(Options.defaults().withoutMySql(), NO_MYSQL).dcs().get(0);

    assertThat(mysqlOnly.brokers()).isEmpty();
    assertThat(mysqlOnly.workers()).isEmpty();
    assertThat(kafkaOnly.clusters()).isEmpty();
  }

  @Test
  void severalWorkersShareAGroup() {
    var workers = StackPlan.of(Options.defaults().withWorkers(2), NO_MYSQL).dcs().get(1).workers();

    assertThat(workers)
        .extracting(StackPlan.WorkerPlan::name)
        .containsExactly("dc2-connect", "dc2-connect2");
    assertThat(workers).extracting(StackPlan.WorkerPlan::group).containsOnly("dc2-connect");
  }

  @Test
  void sourcesAreExactlyOnceOnDemand() {
    var plan = StackPlan.of(Options.defaults().withExactlyOnceSource(), NO_MYSQL);

    assertThat(plan.dcs().get(0).workers().get(0).settings())
        .containsEntry("exactly.once.source.support", "enabled");
  }

  @Test
  void aWorkerNeedsABroker() {
    assertThatThrownBy(() -> Options.defaults().withoutKafka().withWorkers(1))
        .hasMessage("a Connect worker needs a broker");
  }
}
