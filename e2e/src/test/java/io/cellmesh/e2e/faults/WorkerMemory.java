package io.cellmesh.e2e.faults;

import com.sun.tools.attach.VirtualMachine;
import io.cellmesh.devstack.ConnectWorker;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Watches the heap of a worker from outside, through the JVM's own management agent. */
final class WorkerMemory implements AutoCloseable {
  private static final int MIB = 1 << 20;

  private final long pid;
  private final JMXConnector connector;
  private final MemoryMXBean memory;
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private volatile long mostUsed;

  private WorkerMemory(long pid, JMXConnector connector) throws Exception {
    this.pid = pid;
    this.connector = connector;
    this.memory =
        ManagementFactory.newPlatformMXBeanProxy(
            connector.getMBeanServerConnection(),
            ManagementFactory.MEMORY_MXBEAN_NAME,
            MemoryMXBean.class);
  }

  static WorkerMemory watch(ConnectWorker worker) throws Exception {
    var machine = VirtualMachine.attach(Long.toString(worker.pid()));
    try {
      var url = new JMXServiceURL(machine.startLocalManagementAgent());
      var watch = new WorkerMemory(worker.pid(), JMXConnectorFactory.connect(url));
      watch.clock.scheduleWithFixedDelay(watch::look, 0, 200, TimeUnit.MILLISECONDS);
      return watch;
    } finally {
      machine.detach();
    }
  }

  long pid() {
    return pid;
  }

  /** The limit of the heap, in MiB. */
  long limitMiB() {
    return memory.getHeapMemoryUsage().getMax() / MIB;
  }

  /** What is in use after a full collection, in MiB. */
  long liveMiB() {
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed() / MIB;
  }

  /** {@code heap at most 300 of 512 MiB, resident at most 700 MiB}. */
  String text() throws IOException {
    var resident =
        Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
            .filter(line -> line.startsWith("VmHWM:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
            .findFirst()
            .orElse(-1);
    return String.format(
        Locale.ROOT,
        "heap at most %d of %d MiB, resident at most %d MiB",
        mostUsed / MIB,
        limitMiB(),
        resident);
  }

  @Override
  public void close() throws IOException {
    clock.shutdownNow();
    connector.close();
  }

  private void look() {
    mostUsed = Math.max(mostUsed, memory.getHeapMemoryUsage().getUsed());
  }
}
