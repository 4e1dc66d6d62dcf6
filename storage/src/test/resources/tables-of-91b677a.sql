-- An instance as commit 91b677a made it: tables, cells of both topics, positions, and a copy that waits for c2.
-- cluster c1
CREATE DATABASE trips_meta;
USE trips_meta;
CREATE TABLE `buffer` (
  `id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `primary_cluster` varchar(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `topic_kind` enum('cells','mesh') NOT NULL,
  `partition_no` int unsigned NOT NULL,
  `previous_next` bigint unsigned NOT NULL,
  `next_offset` bigint unsigned NOT NULL,
  `next_digest` bigint NOT NULL,
  `cells` int unsigned NOT NULL,
  `bytes` int unsigned NOT NULL,
  `batch` longblob NOT NULL,
  `epoch` int unsigned NOT NULL,
  `written_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `reach` (`primary_cluster`,`partition_no`,`topic_kind`,`next_offset`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
INSERT INTO buffer VALUES (1,'c2','cells',0,0,8,79,3,224,x'0100000003000000000000000500000002571563b72566428292a5e91d4157082a000442415345000000000000000100000000000000000000000000110178016b5c5a9e985952cc00001128034f000000000000000600000002cc192832e8d84f438748b200bb8efaea000442415345000000000000000100000000000000000000000000110178016b5c5a9e985952cc080011290350000000000000000700000002f0f2a76375e34bc0a9a90842e7582a49000442415345000000000000000100000000000000000000000000110178016b5c5a9e985952cc0400112a0351',1,'2026-11-24 22:56:19.370567');
CREATE TABLE `epoch` (
  `cluster` varchar(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `epoch` int unsigned NOT NULL,
  PRIMARY KEY (`cluster`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
INSERT INTO epoch VALUES ('c1',1);
INSERT INTO epoch VALUES ('c2',1);
CREATE TABLE `instance` (
  `name` varchar(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `shards` int unsigned NOT NULL,
  `partitions` int unsigned NOT NULL,
  `datacenter` varchar(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `cluster` varchar(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `created_gtids` longtext CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `created_at` datetime(6) NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
INSERT INTO instance VALUES ('trips',4,2,'dc1','c1','41cc7d5e-e85a-11f1-8468-02fc00000001:1-13','2026-11-24 22:56:19.098317');
CREATE TABLE `position` (
  `partition_no` int unsigned NOT NULL,
  `cells_next` bigint unsigned NOT NULL DEFAULT '0',
  `cells_digest` bigint NOT NULL DEFAULT '0',
  `mesh_next` bigint unsigned NOT NULL DEFAULT '0',
  `mesh_digest` bigint NOT NULL DEFAULT '0',
  PRIMARY KEY (`partition_no`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
INSERT INTO position VALUES (0,5,77,3,78);
INSERT INTO position VALUES (1,0,0,0,0);
CREATE DATABASE trips_0000;
USE trips_0000;
CREATE TABLE `entity` (
  `added_id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `row_key` binary(16) NOT NULL,
  `column_name` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
  `ref_key` bigint NOT NULL,
  `body` mediumblob NOT NULL,
  `origin` varchar(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `origin_id` bigint unsigned DEFAULT NULL,
  `created_at` datetime(6) NOT NULL,
  PRIMARY KEY (`added_id`),
  UNIQUE KEY `cell` (`row_key`,`column_name`,`ref_key`)
) ENGINE=InnoDB AUTO_INCREMENT=9 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
INSERT INTO entity VALUES (1,x'592ad3097d984a5da5b3f440be1a4792','BASE',0,x'0178016b5a92965894cab02ca528b32cb568d1e1950043ca0805','dc1',NULL,'2026-11-24 22:56:19.348835');
INSERT INTO entity VALUES (2,x'154de301afca44e5adc26f161bfba4ce','base',1,x'0178016b5a92965894cab82ca528b32cb568d1e1950043d50806','dc1',NULL,'2026-11-24 22:56:19.348835');
INSERT INTO entity VALUES (3,x'96c697fbb2584069b914dd2d973295f1','BASE',2,x'0178016b5a92965894cab42ca528b32cb568d1e1950043e00807','dc1',NULL,'2026-11-24 22:56:19.348835');
INSERT INTO entity VALUES (4,x'c54c61ed9f024ba7b84e818eb69539d9','base',3,x'0178016b5a92965894cabc2ca528b32cb568d1e1950043eb0808','dc1',NULL,'2026-11-24 22:56:19.348835');
INSERT INTO entity VALUES (5,x'9bb632e1e9ff4d469cba734c0bc86099','BASE',4,x'0178016b5a92965894cab22ca528b32cb568d1e1950043f60809','dc1',NULL,'2026-11-24 22:56:19.348835');
INSERT INTO entity VALUES (6,x'c74c216a02f947b08a18b094fca8eb98','BASE',1,x'0178016b5c98c7000004c70191','dc2',40,'2026-11-24 22:56:19.350207');
INSERT INTO entity VALUES (7,x'71cef2da12654a4181cb0f5030efe182','BASE',1,x'0178016b5c98c7080004c80192','dc2',41,'2026-11-24 22:56:19.350207');
INSERT INTO entity VALUES (8,x'578d1c71ee804efc81ad07fc85555365','BASE',1,x'0178016b5c98c7040004c90193','dc2',42,'2026-11-24 22:56:19.350207');
CREATE DATABASE trips_0001;
USE trips_0001;
CREATE TABLE `entity` (
  `added_id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `row_key` binary(16) NOT NULL,
  `column_name` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
  `ref_key` bigint NOT NULL,
  `body` mediumblob NOT NULL,
  `origin` varchar(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `origin_id` bigint unsigned DEFAULT NULL,
  `created_at` datetime(6) NOT NULL,
  PRIMARY KEY (`added_id`),
  UNIQUE KEY `cell` (`row_key`,`column_name`,`ref_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
-- cluster c2
CREATE DATABASE trips_meta;
USE trips_meta;
CREATE TABLE `buffer` (
  `id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `primary_cluster` varchar(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `topic_kind` enum('cells','mesh') NOT NULL,
  `partition_no` int unsigned NOT NULL,
  `previous_next` bigint unsigned NOT NULL,
  `next_offset` bigint unsigned NOT NULL,
  `next_digest` bigint NOT NULL,
  `cells` int unsigned NOT NULL,
  `bytes` int unsigned NOT NULL,
  `batch` longblob NOT NULL,
  `epoch` int unsigned NOT NULL,
  `written_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `reach` (`primary_cluster`,`partition_no`,`topic_kind`,`next_offset`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
CREATE TABLE `epoch` (
  `cluster` varchar(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `epoch` int unsigned NOT NULL,
  PRIMARY KEY (`cluster`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
INSERT INTO epoch VALUES ('c1',1);
INSERT INTO epoch VALUES ('c2',1);
CREATE TABLE `instance` (
  `name` varchar(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `shards` int unsigned NOT NULL,
  `partitions` int unsigned NOT NULL,
  `datacenter` varchar(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `cluster` varchar(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `created_gtids` longtext CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `created_at` datetime(6) NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
INSERT INTO instance VALUES ('trips',4,2,'dc1','c2','41e534d4-e85a-11f1-9850-02fc00000001:1-13','2026-11-24 22:56:19.320330');
CREATE TABLE `position` (
  `partition_no` int unsigned NOT NULL,
  `cells_next` bigint unsigned NOT NULL DEFAULT '0',
  `cells_digest` bigint NOT NULL DEFAULT '0',
  `mesh_next` bigint unsigned NOT NULL DEFAULT '0',
  `mesh_digest` bigint NOT NULL DEFAULT '0',
  PRIMARY KEY (`partition_no`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
INSERT INTO position VALUES (0,0,0,0,0);
INSERT INTO position VALUES (1,0,0,0,0);
CREATE DATABASE trips_0002;
USE trips_0002;
CREATE TABLE `entity` (
  `added_id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `row_key` binary(16) NOT NULL,
  `column_name` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
  `ref_key` bigint NOT NULL,
  `body` mediumblob NOT NULL,
  `origin` varchar(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `origin_id` bigint unsigned DEFAULT NULL,
  `created_at` datetime(6) NOT NULL,
  PRIMARY KEY (`added_id`),
  UNIQUE KEY `cell` (`row_key`,`column_name`,`ref_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
CREATE DATABASE trips_0003;
USE trips_0003;
CREATE TABLE `entity` (
  `added_id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `row_key` binary(16) NOT NULL,
  `column_name` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
  `ref_key` bigint NOT NULL,
  `body` mediumblob NOT NULL,
  `origin` varchar(48) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `origin_id` bigint unsigned DEFAULT NULL,
  `created_at` datetime(6) NOT NULL,
  PRIMARY KEY (`added_id`),
  UNIQUE KEY `cell` (`row_key`,`column_name`,`ref_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
