-- What somebody has uploaded in a day, whatever became of it: one row that all processes change one after the other.
CREATE TABLE upload_day (
  who varchar(80) NOT NULL,
  day date NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (who, day)
);
CREATE INDEX upload_day_day ON upload_day (day);
