-- Nonces of payment notifications already seen; a captured notification is refused while its clock would still pass.
CREATE TABLE pay_nonce (
  nonce text PRIMARY KEY,
  "expireTime" timestamptz NOT NULL
);
CREATE INDEX pay_nonce_expire ON pay_nonce ("expireTime");

-- Every notification that proved genuine, as it came: what was done about it, or that nobody knows its order.
CREATE TABLE pay_notify (
  id bigint PRIMARY KEY DEFAULT next_id(),
  "notifyId" text NOT NULL,
  "orderNo" text NOT NULL,
  "transactionId" text NOT NULL,
  amount integer NOT NULL,
  raw text NOT NULL,
  outcome text NOT NULL,
  "time" timestamptz NOT NULL
);
CREATE INDEX pay_notify_order ON pay_notify ("orderNo");
CREATE INDEX pay_notify_time ON pay_notify ("time");
