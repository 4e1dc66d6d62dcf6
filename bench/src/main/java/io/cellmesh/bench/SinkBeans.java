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
   * @throws DevStackException if it can't be asked
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
        var beans = connector.getMBeanServerConnection();
        return new SinkBeans(
            mean(beans, "batch-cells-avg", ""),
            mean(beans, "time-ms-p50", "put"),
            mean(beans, "time-ms-p50", "commit"));
      }
    } catch (IOException | AttachNotSupportedException | JMException e) {
      throw new DevStackException("the worker's JMX can't be asked", e);
    }
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
    return count == 0 ? 0 : sum / count;
  }

  private static String hop(ObjectName name) {
    var hop = name.getKeyProperty("hop");
    return hop == null ? "" : hop.replace("\"", "");
  }
}
