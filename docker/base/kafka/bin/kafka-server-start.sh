#!/bin/bash
export KAFKA_HEAP_OPTS=${KAFKA_HEAP_OPTS:--Xmx1G -Xms1G}
export KAFKA_LOG4J_OPTS=${KAFKA_LOG4J_OPTS:--Dlog4j2.configurationFile=/etc/kafka/docker/log4j2.yaml}
exec "$(dirname "$(readlink -f "$0")")/kafka-run-class.sh" kafka.Kafka "$@"
