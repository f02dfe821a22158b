-- One login on one device. Ended sessions stay for the record until they are swept.
CREATE TABLE session (
  id bigint PRIMARY KEY DEFAULT next_id(),
  "userId" bigint NOT NULL,
  "tenantId" varchar(12) NOT NULL,
  "clientId" varchar(48) NOT NULL,
  -- What the person chose when switching; null means everything the account has.
  "roleId" text,
  "deptId" text,
  ip varchar(64),
  "userAgent" varchar(255),
  "createTime" timestamptz NOT NULL,
  "lastSeen" timestamptz NOT NULL,
  "endTime" timestamptz,
  "endReason" varchar(20)
);
CREATE INDEX i_session_user ON session ("userId") WHERE "endTime" IS NULL;

-- Tokens are kept as hashes only: reading this table opens no session. kind: 1 access, 2 refresh.
CREATE TABLE session_token (
  hash varchar(64) PRIMARY KEY,
  "sessionId" bigint NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  kind smallint NOT NULL,
  until timestamptz NOT NULL,
  "spentTime" timestamptz
);
CREATE INDEX i_session_token_session ON session_token ("sessionId");

CREATE TABLE captcha (
  key varchar(64) PRIMARY KEY,
  answer varchar(64) NOT NULL,
  until timestamptz NOT NULL
);

-- Numbers given to login pages that have been used; each serves once.
CREATE TABLE used_nonce (
  nonce varchar(100) PRIMARY KEY,
  until timestamptz NOT NULL
);

-- Counters of things that may happen only so often, by what is counted.
CREATE TABLE throttle (
  key varchar(200) PRIMARY KEY,
  count integer NOT NULL,
  until timestamptz NOT NULL
);

-- The last passwords of a person, which a new one may not repeat.
CREATE TABLE user_password (
  id bigint PRIMARY KEY DEFAULT next_id(),
  "userId" bigint NOT NULL,
  hash varchar(200) NOT NULL,
  "createTime" timestamptz NOT NULL
);
CREATE INDEX i_user_password_user ON user_password ("userId");

CREATE TABLE role_menu (
  "roleId" bigint NOT NULL,
  "menuId" bigint NOT NULL,
  PRIMARY KEY ("roleId", "menuId")
);
CREATE INDEX i_role_menu_menu ON role_menu ("menuId");

-- Raised by every change of roles, menus and grants, whoever makes it; processes remember permissions by it.
CREATE TABLE grant_stamp (
  id smallint PRIMARY KEY,
  version bigint NOT NULL
);
INSERT INTO grant_stamp (id, version) VALUES (1, 1);

CREATE FUNCTION raise_grant_stamp() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE grant_stamp SET version = version + 1 WHERE id = 1;
  RETURN NULL;
END $$;
CREATE TRIGGER t_role_menu_stamp AFTER INSERT OR UPDATE OR DELETE ON role_menu
  FOR EACH STATEMENT EXECUTE FUNCTION raise_grant_stamp();
CREATE TRIGGER t_role_stamp AFTER INSERT OR UPDATE OR DELETE ON role
  FOR EACH STATEMENT EXECUTE FUNCTION raise_grant_stamp();
CREATE TRIGGER t_menu_stamp AFTER INSERT OR UPDATE OR DELETE ON menu
  FOR EACH STATEMENT EXECUTE FUNCTION raise_grant_stamp();
