#!/bin/bash
export KAFKA_HEAP_OPTS=${KAFKA_HEAP_OPTS:--Xms256M -Xmx2G}
export KAFKA_LOG4J_OPTS=${KAFKA_LOG4J_OPTS:--Dlog4j2.configurationFile=/etc/kafka/docker/log4j2.yaml}
exec "$(dirname "$(readlink -f "$0")")/kafka-run-class.sh" org.apache.kafka.connect.cli.ConnectDistributed "$@"
