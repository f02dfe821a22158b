-- Claims and other processes have pages: where nobody has written an address of their own, the generic ones.
UPDATE "dict" SET "remark" = 'generic'
WHERE "code" = 'flow' AND "dictKey" IN ('2', '3') AND coalesce("remark", '') = '';
