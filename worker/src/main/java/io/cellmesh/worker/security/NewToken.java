package io.cellmesh.worker.security;

import io.cellmesh.deployment.DeploymentException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * A token that was drawn just now, and is kept nowhere.
 *
 * @param token what its owner sends, a secret
 * @param entry the line of the tokens file that makes it count
 */
public record NewToken(String token, String entry) {

  /**
   * Draws a token.
   *
   * @param name whose it is, for logs
   * @param rights each {@code INSTANCE:RIGHT,RIGHT…}; {@code *} for every instance
   * @throws DeploymentException naming the rule that name or rights break
   */
  public static NewToken draw(String name, List<String> rights) {
    try {
      Tokens.checkName(name);
      var byInstance = new ArrayList<String>();
      var instances = new HashSet<String>();
      rights.forEach(each -> byInstance.add(flow(each, instances)));
      var token = Token.draw(new SecureRandom());
      var entry =
          "  - {name: \"%s\", hash: \"sha256:%s\", rights: {%s}}"
              .formatted(
                  name, HexFormat.of().formatHex(Token.hash(token)), String.join(", ", byInstance));
      return new NewToken(token, entry);
    } catch (DeploymentException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new DeploymentException(e.getMessage());
    }
  }

  private static String flow(String rights, Set<String> instances) {
    int colon = rights.indexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException(
          "rights: \"%s\" is not INSTANCE:RIGHT,RIGHT…".formatted(rights));
    }
    var instance = Tokens.checkInstance(rights.substring(0, colon));
    if (!instances.add(instance)) {
      throw new IllegalArgumentException("rights: %s is given twice".formatted(instance));
    }
    var names = new ArrayList<String>();
    for (var name : rights.substring(colon + 1).split(",", -1)) {
      names.add(Tokens.right(name).text());
    }
    return "\"%s\": [%s]".formatted(instance, String.join(", ", names));
  }

  /** Shows no token. */
  @Override
  public String toString() {
    return entry;
  }
}
