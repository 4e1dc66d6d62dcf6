package io.cellmesh.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.component.LifeCycle;
import org.junit.jupiter.api.Test;

class HttpThreadsTest {
  @Test
  void threads_are_virtual_where_the_jvm_has_them() throws Exception {
    var pool = HttpThreads.pool();
    LifeCycle.start(pool);
    try {
      var thread =
          CompletableFuture.supplyAsync(Thread::currentThread, pool).get(10, TimeUnit.SECONDS);
      assertThat(isVirtual(thread)).isEqualTo(Runtime.version().feature() >= 21);
    } finally {
      LifeCycle.stop(pool);
    }
  }

  private static boolean isVirtual(Thread thread) throws ReflectiveOperationException {
    return Runtime.version().feature() >= 21
        && (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
  }
}
