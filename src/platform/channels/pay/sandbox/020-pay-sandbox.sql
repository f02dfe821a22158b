-- The sandbox's own side of the counter: what WeChat Pay would keep. Nothing of the product reads these tables.
CREATE TABLE pay_sandbox_order (
  "orderNo" text PRIMARY KEY,
  pr text NOT NULL UNIQUE,
  mchid text NOT NULL,
  appid text NOT NULL,
  body text NOT NULL,
  amount integer NOT NULL CHECK (amount > 0),
  "notifyUrl" text NOT NULL,
  state text NOT NULL DEFAULT 'NOTPAY',
  "transactionId" text NOT NULL DEFAULT '',
  "payerId" text NOT NULL DEFAULT '',
  "expireTime" timestamptz NOT NULL,
  "successTime" timestamptz,
  fault jsonb NOT NULL DEFAULT '{}'
);

CREATE TABLE pay_sandbox_notify (
  id text PRIMARY KEY,
  "orderNo" text NOT NULL REFERENCES pay_sandbox_order ("orderNo"),
  attempt integer NOT NULL DEFAULT 0,
  "nextTime" timestamptz,
  answer integer
);
CREATE INDEX pay_sandbox_notify_due ON pay_sandbox_notify ("nextTime") WHERE "nextTime" IS NOT NULL;
