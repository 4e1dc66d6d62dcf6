package io.cellmesh.connect.source;

import java.util.HashMap;
import java.util.Map;

/** A topology and settings that are right. */
final class Samples {
  static final String TOPOLOGY =
      """
      instance: trips
      shards: 64
      partitions: 16
      datacenter: dc1
      clusters:
        - name: c1
          shards: 0-31
          epoch: 1
          master: {url: "mysql://db1.example:3301", domain: rack1}
          minions: [{url: "mysql://db2.example:3302", domain: rack2}]
        - name: c2
          shards: 32-63
          epoch: 1
          master: {url: "mysql://db3.example:3303", domain: rack2}
          minions: []
      """;

  private Samples() {}

  static Map<String, String> settings() {
    var settings = new HashMap<String, String>();
    settings.put("topology", TOPOLOGY);
    settings.put("cluster", "c1");
    settings.put("mysql.user", "reader");
    settings.put("mysql.password", "s3cret");
    return settings;
  }

  static Map<String, String> settings(String name, String value) {
    var settings = settings();
    settings.put(name, value);
    return settings;
  }
}
