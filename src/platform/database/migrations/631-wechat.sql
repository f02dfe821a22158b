-- The access token of an official account, which all processes share.
CREATE TABLE wechat_token (
  "accountId" bigint PRIMARY KEY,
  "appId" text NOT NULL,
  token text,
  "until" timestamptz NOT NULL
);

-- QR codes by which people bind their WeChat: bound to the session that asked for one, scanned once.
CREATE TABLE wechat_ticket (
  id text PRIMARY KEY,
  "sceneHash" text NOT NULL UNIQUE,
  "tenantId" text NOT NULL,
  "userId" bigint NOT NULL,
  "sessionId" text NOT NULL,
  "accountId" bigint NOT NULL,
  "until" timestamptz NOT NULL,
  openid text,
  "openidHash" text,
  "codeId" text
);
CREATE INDEX wechat_ticket_until ON wechat_ticket ("until");

-- What WeChat has told of messages, each once.
CREATE TABLE wechat_receipt (
  "accountId" bigint NOT NULL,
  "msgId" text NOT NULL,
  "openidHash" text NOT NULL,
  problem text,
  "time" timestamptz NOT NULL,
  PRIMARY KEY ("accountId", "msgId")
);
CREATE INDEX wechat_receipt_msg ON wechat_receipt ("msgId");
CREATE INDEX wechat_receipt_time ON wechat_receipt ("time");
CREATE INDEX delivery_ref ON delivery (ref) WHERE channel = 'wechat';

-- The WeChat of a demonstration: its phones, what they were sent, and the QR codes that can be scanned.
CREATE TABLE wechat_sandbox_phone (
  openid text NOT NULL,
  "appId" text NOT NULL,
  phone integer NOT NULL,
  "isFollowing" boolean NOT NULL DEFAULT false,
  PRIMARY KEY (openid)
);
CREATE TABLE wechat_sandbox_message (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  openid text NOT NULL,
  "clientMsgId" text,
  content jsonb NOT NULL,
  "time" timestamptz NOT NULL,
  UNIQUE (openid, "clientMsgId")
);
CREATE TABLE wechat_sandbox_qr (
  ticket text PRIMARY KEY,
  "appId" text NOT NULL,
  scene text NOT NULL,
  "until" timestamptz NOT NULL
);
