package io.cellmesh.triggers.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import org.junit.jupiter.api.Test;

class CurrentClientTest {
  @Test
  void one_that_is_left_is_replaced_once_however_many_leave_it() {
    var client = new CurrentClient(HttpClient::newHttpClient);
    var first = client.get();

    client.leave(first);
    var second = client.get();
    client.leave(first);

    assertThat(second).isNotSameAs(first);
    assertThat(client.get()).isSameAs(second);
  }
}
