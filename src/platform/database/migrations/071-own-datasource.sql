-- The product's own database as a source of models; it can be neither changed nor removed.
INSERT INTO datasource (category, name, "driverClass", url, username, remark)
  SELECT 1, '本系统数据库', 'org.postgresql.Driver', 'local', 'local', '聚贤自己的数据库，只读取表结构'
  WHERE NOT EXISTS (SELECT 1 FROM datasource WHERE url = 'local');
