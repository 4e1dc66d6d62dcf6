package io.cellmesh.worker.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;

/** Kafka's client, of which a test needs one method of some eighty. */
final class ScriptedAdmin {
  private ScriptedAdmin() {}

  /** Makes one that answers this method, and whose others fail the test. */
  static Admin answering(String method, Supplier<?> answer) {
    return (Admin)
        Proxy.newProxyInstance(
            Admin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, called, arguments) -> {
              assertThat(called.getName()).isEqualTo(method);
              return answer.get();
            });
  }
}
