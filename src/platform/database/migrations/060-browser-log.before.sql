-- What browsers report is a row of the entity log-error now; an older table of the same name gives its columns the new names.
DO $$ BEGIN
  IF EXISTS (SELECT FROM information_schema.columns WHERE table_schema = current_schema AND table_name = 'log_error' AND column_name = 'account') THEN
    ALTER TABLE log_error RENAME COLUMN account TO "createBy";
    ALTER TABLE log_error RENAME COLUMN "userId" TO "createUser";
    ALTER TABLE log_error ALTER COLUMN "createUser" DROP NOT NULL;
    ALTER TABLE log_error RENAME COLUMN url TO "requestUri";
    ALTER TABLE log_error RENAME COLUMN "type" TO "exceptionName";
    ALTER TABLE log_error RENAME COLUMN stack TO "stackTrace";
    ALTER TABLE log_error RENAME COLUMN ip TO "remoteIp";
    UPDATE log_error SET "stackTrace" = concat_ws(E'\n', "time", "stackTrace", info), "requestUri" = left("requestUri", 255);
    ALTER TABLE log_error DROP COLUMN "time", DROP COLUMN info;
  END IF;
END $$;
