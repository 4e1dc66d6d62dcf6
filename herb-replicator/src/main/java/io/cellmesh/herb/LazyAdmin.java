package io.cellmesh.herb;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;

/**
 * An admin client that is made when it is first asked. Streams wants one for the topics of its
 * state; a link has none, and saves the client's thread, connection and figures.
 */
final class LazyAdmin implements InvocationHandler {
  /** What asks the brokers for nothing: Streams' own figures are not sent to them either. */
  private static final Set<String> UNASKED =
      Set.of("close", "registerMetricForSubscription", "unregisterMetricFromSubscription");

  private final Map<String, Object> settings;
  private Admin made;

  private LazyAdmin(Map<String, Object> settings) {
    this.settings = settings;
  }

  static Admin of(Map<String, Object> settings) {
    return (Admin)
        Proxy.newProxyInstance(
            LazyAdmin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            new LazyAdmin(settings));
  }

  @Override
  public synchronized Object invoke(Object proxy, Method method, Object[] arguments)
      throws Throwable {
    if (made == null && method.getName().equals("metrics")) {
      return Map.of();
    }
    if (made == null && UNASKED.contains(method.getName())) {
      return null;
    }
    if (made == null) {
      made = Admin.create(settings);
    }
    try {
      return method.invoke(made, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
