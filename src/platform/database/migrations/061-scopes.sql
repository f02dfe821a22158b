-- Menus that a top menu leads to.
CREATE TABLE topmenu_setting (
  "topMenuId" bigint NOT NULL,
  "menuId" bigint NOT NULL,
  PRIMARY KEY ("topMenuId", "menuId")
);
CREATE INDEX i_topmenu_setting_menu ON topmenu_setting ("menuId");

-- Scopes granted to a role. category: 1 rows it may meet (data_scope), 2 calls it may make (api_scope).
CREATE TABLE role_scope (
  "roleId" bigint NOT NULL,
  category smallint NOT NULL,
  "scopeId" bigint NOT NULL,
  PRIMARY KEY ("roleId", category, "scopeId")
);
CREATE INDEX i_role_scope_scope ON role_scope (category, "scopeId");

-- What roles allow also follows from scopes and from the package of their tenant.
CREATE TRIGGER t_role_scope_stamp AFTER INSERT OR UPDATE OR DELETE ON role_scope
  FOR EACH STATEMENT EXECUTE FUNCTION raise_grant_stamp();
CREATE TRIGGER t_data_scope_stamp AFTER INSERT OR UPDATE OR DELETE ON data_scope
  FOR EACH STATEMENT EXECUTE FUNCTION raise_grant_stamp();
CREATE TRIGGER t_api_scope_stamp AFTER INSERT OR UPDATE OR DELETE ON api_scope
  FOR EACH STATEMENT EXECUTE FUNCTION raise_grant_stamp();
CREATE TRIGGER t_tenant_stamp AFTER INSERT OR UPDATE OR DELETE ON tenant
  FOR EACH STATEMENT EXECUTE FUNCTION raise_grant_stamp();
CREATE TRIGGER t_tenant_package_stamp AFTER INSERT OR UPDATE OR DELETE ON tenant_package
  FOR EACH STATEMENT EXECUTE FUNCTION raise_grant_stamp();

-- Third-party logins of people who have no account yet. The id is random and known to their browser only.
CREATE TABLE oauth_login (
  id varchar(64) PRIMARY KEY,
  "tenantId" varchar(12) NOT NULL,
  source varchar(32) NOT NULL,
  uuid varchar(128) NOT NULL,
  nickname varchar(50),
  until timestamptz NOT NULL,
  "userId" bigint
);
