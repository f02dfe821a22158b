-- What a tenant has spent on text messages in a day, in messages charged: one row that senders change one after the other.
CREATE TABLE sms_day (
  "tenantId" varchar(12) NOT NULL,
  day date NOT NULL,
  segments integer NOT NULL,
  PRIMARY KEY ("tenantId", day)
);
INSERT INTO sms_day ("tenantId", day, segments)
SELECT "tenantId", ("time" AT TIME ZONE 'Asia/Shanghai')::date, sum(segments) FROM sms_sent GROUP BY 1, 2;
