-- Older programs go on.
-- When an invoice was asked for: of those that wait for it, the last change is nearest to that.
UPDATE payrecord SET "invoiceTime" = "updateTime" WHERE "invoiceStatus" = 1 AND "invoiceTime" IS NULL;
