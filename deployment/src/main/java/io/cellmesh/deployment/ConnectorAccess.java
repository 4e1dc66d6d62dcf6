package io.cellmesh.deployment;

import io.cellmesh.cell.Credentials;
import io.cellmesh.cell.MySqlTls;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How connectors sign on, as their configurations say it, and what else these say: secrets are
 * references that the workers resolve, and never stand here themselves.
 *
 * @param user in which {@link #ROLE} stands for the connector's role
 * @param password a reference, with {@link #ROLE} likewise; empty for none
 * @param tls the trust store is a file of the workers
 * @param bootstrap the brokers as the workers reach them
 * @param kafka settings of the Kafka clients of connectors, in which {@link #ROLE} stands for the
 *     same
 * @param settings of the connectors of a role, by the role's name; they take the place of those
 *     that are shipped
 */
public record ConnectorAccess(
    String user,
    String password,
    MySqlTls tls,
    String bootstrap,
    Map<String, String> kafka,
    Map<String, Map<String, String>> settings) {
  /** Stands for the name of a connector's role: sink, source or index. */
  public static final String ROLE = "{role}";

  public ConnectorAccess {
    kafka = Map.copyOf(kafka);
    settings = Map.copyOf(settings);
  }

  /**
   * Of servers of this machine, where one user without a password does everything and nothing is
   * encrypted.
   */
  public static ConnectorAccess plain(String user, String bootstrap) {
    var tls = new MySqlTls(MySqlTls.Mode.DISABLED, Optional.empty(), "");
    return new ConnectorAccess(user, "", tls, bootstrap, Map.of(), Map.of());
  }

  /** How the connector of a role signs on to MySQL. */
  public Credentials mysql(String role) {
    return new Credentials(user.replace(ROLE, role), password.replace(ROLE, role), tls);
  }

  /** How the Kafka clients of the connector of a role sign on. */
  public Map<String, String> kafka(String role) {
    var settings = new TreeMap<String, String>();
    kafka.forEach((name, value) -> settings.put(name, value.replace(ROLE, role)));
    return settings;
  }

  /** What the connectors of a role are told besides. */
  public Map<String, String> settings(String role) {
    return new TreeMap<>(settings.getOrDefault(role, Map.of()));
  }

  /** Whether every role has a user of its own. */
  public boolean isPerRole() {
    return user.contains(ROLE);
  }
}
