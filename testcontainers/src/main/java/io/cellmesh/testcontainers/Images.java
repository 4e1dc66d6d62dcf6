package io.cellmesh.testcontainers;

import java.util.Map;

/**
 * The images that containers are made of.
 *
 * @param mysql of MySQL, with the entry point of the public one
 * @param kafka of a broker, as apache/kafka
 * @param connect of a worker, from docker/Dockerfile
 * @param cli of the command line, from docker/Dockerfile
 */
record Images(String mysql, String kafka, String connect, String cli) {

  /** Reads the variables that docker-compose.yml reads; what they do not say is as it is there. */
  static Images of(Map<String, String> environment) {
    return new Images(
        environment.getOrDefault("MYSQL_IMAGE", "mysql:8.4"),
        environment.getOrDefault("KAFKA_IMAGE", "apache/kafka:4.3.1"),
        environment.getOrDefault("CELLMESH_CONNECT_IMAGE", "cellmesh-connect:latest"),
        environment.getOrDefault("CELLMESH_CLI_IMAGE", "cellmesh-cli:latest"));
  }

  Images withMysql(String image) {
    return new Images(image, kafka, connect, cli);
  }

  Images withKafka(String image) {
    return new Images(mysql, image, connect, cli);
  }

  Images withConnect(String image) {
    return new Images(mysql, kafka, image, cli);
  }

  Images withCli(String image) {
    return new Images(mysql, kafka, connect, image);
  }
}
