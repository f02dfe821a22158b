-- Dictionaries whose keys are two digits were begun with 10 and above before 01. Those that nobody has put into another order
-- get the order of their keys.
UPDATE dict_biz d SET sort = d."dictKey"::integer
WHERE d."dictKey" ~ '^\d{2}$' AND d."isDeleted" = 0
  AND EXISTS (SELECT FROM dict_biz one JOIN dict_biz ten ON ten."tenantId" = one."tenantId" AND ten.code = one.code
    WHERE one."tenantId" = d."tenantId" AND one.code = d.code AND one."dictKey" = '01' AND ten."dictKey" ~ '^[1-9]\d$'
      AND one."isDeleted" = 0 AND ten."isDeleted" = 0 AND ten.sort = 1 AND one.sort > ten.sort);
