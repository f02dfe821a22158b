-- The sandbox's refunds: what WeChat Pay would keep. A refund settles at its due time, with the outcome written here.
CREATE TABLE pay_sandbox_refund (
  "refundNo" text PRIMARY KEY,
  "refundId" text NOT NULL UNIQUE,
  "orderNo" text NOT NULL REFERENCES pay_sandbox_order ("orderNo"),
  amount integer NOT NULL CHECK (amount > 0),
  reason text NOT NULL DEFAULT '',
  "notifyUrl" text NOT NULL,
  outcome text NOT NULL DEFAULT 'SUCCESS',
  "createTime" timestamptz NOT NULL,
  "dueTime" timestamptz NOT NULL
);
CREATE INDEX pay_sandbox_refund_order ON pay_sandbox_refund ("orderNo");
ALTER TABLE pay_sandbox_notify ADD COLUMN "refundNo" text;
CREATE INDEX pay_sandbox_order_success ON pay_sandbox_order ("successTime");
