package io.cellmesh.bench;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.cellmesh.devstack.DevStackException;
import java.io.IOException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * What the tasks of a sink tell of themselves, over JMX: the mean over those that have put
 * something of late.
 *
 * @param cells of a batch
 * @param putMillis that a batch takes, the median
 * @param commitMillis that a commit on a primary takes, the median
 */
record SinkBeans(double cells, double putMillis, double commitMillis) {

  /**
   * Asks a Connect worker. Its JVM has some more threads from then on.
   *
   * @throws DevStackException if it can't be asked, or tells nothing: a model told 0 predicts
   *     nothing
   */
  static SinkBeans of(long pid) {
    try {
      var machine = VirtualMachine.attach(Long.toString(pid));
      String url;
      try {
        url = machine.startLocalManagementAgent();
      } finally {
        machine.detach();
      }
      try (var connector = JMXConnectorFactory.connect(new JMXServiceURL(url))) {
        return of(connector.getMBeanServerConnection());
      }
    } catch (IOException | AttachNotSupportedException | JMException e) {
      throw new DevStackException("the worker's JMX can't be asked", e);
    }
  }

  /** Asks the beans of a worker's JVM. */
  static SinkBeans of(MBeanServerConnection beans) throws IOException, JMException {
    return new SinkBeans(
        mean(beans, "batch-cells-avg", ""),
        mean(beans, "time-ms-p50", "put"),
        mean(beans, "time-ms-p50", "commit"));
  }

  private static double mean(MBeanServerConnection beans, String attribute, String hop)
      throws IOException, JMException {
    double sum = 0;
    int count = 0;
    for (var name : beans.queryNames(new ObjectName("kafka.connect:*"), null)) {
      if (!hop.equals(hop(name))) {
        continue;
      }
      for (var has : beans.getMBeanInfo(name).getAttributes()) {
        if (has.getName().equals(attribute)
            && beans.getAttribute(name, attribute) instanceof Number value
            && value.doubleValue() > 0) {
          sum += value.doubleValue();
          count++;
        }
      }
    }
    if (count == 0) {
      throw new DevStackException(
          "no task of the sink tells its " + (hop + " " + attribute).strip());
    }
    return sum / count;
  }

  private static String hop(ObjectName name) {
    var hop = name.getKeyProperty("hop");
    return hop == null ? "" : hop.replace("\"", "");
  }
}
