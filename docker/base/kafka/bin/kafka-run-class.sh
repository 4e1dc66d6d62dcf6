#!/bin/bash
# Runs a class of Kafka's with the variables that Kafka's own script knows.
exec java ${KAFKA_HEAP_OPTS:--Xmx256M} ${KAFKA_JVM_PERFORMANCE_OPTS:--XX:+UseSerialGC} \
  -Dkafka.logs.dir="${LOG_DIR:-/opt/kafka/logs}" ${KAFKA_LOG4J_OPTS:--Dlog4j2.configurationFile=/etc/kafka/docker/tools-log4j2.yaml} ${KAFKA_JMX_OPTS:-} ${KAFKA_OPTS:-} \
  -cp "${CLASSPATH:+$CLASSPATH:}/opt/kafka/libs/*" "$@"
