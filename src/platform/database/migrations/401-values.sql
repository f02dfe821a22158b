-- A row at the top of a tree has no parent: no row has the id 0.
UPDATE dept SET "parentId" = NULL WHERE "parentId" = 0;
UPDATE dict SET "parentId" = NULL WHERE "parentId" = 0;
UPDATE dict_biz SET "parentId" = NULL WHERE "parentId" = 0;
UPDATE menu SET "parentId" = NULL WHERE "parentId" = 0;
UPDATE role SET "parentId" = NULL WHERE "parentId" = 0;

-- The product's own database is read without a password.
UPDATE datasource SET password = '' WHERE password IS NULL;
