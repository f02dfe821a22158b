-- 民族 is chosen from its dictionary instead of typed. Dictionaries of tenants get the two further codes of GB/T 3304.
INSERT INTO dict_biz ("tenantId", code, "dictKey", "dictValue", "parentId", sort, "isSealed")
SELECT h."tenantId", h.code, e.key, e.word, h.id, e.sort, 0
FROM dict_biz h CROSS JOIN (VALUES ('97', '其他', 97), ('98', '外国血统中国籍人士', 98)) e (key, word, sort)
WHERE h.code = 'nation' AND h."dictKey" = '-1' AND h."isDeleted" = 0
  AND NOT EXISTS (SELECT FROM dict_biz x WHERE x."tenantId" = h."tenantId" AND x.code = 'nation' AND x."dictKey" = e.key
    AND x."isDeleted" = 0);

-- The item of the library and those of exams that are still a line of text, where the tenant has the dictionary.
UPDATE items i SET "inputType" = 7, "dictCode" = 'nation', rules = nullif(rules - 'maxLength', '{}')
WHERE "itemCode" = 'nation' AND "inputType" = 1
  AND EXISTS (SELECT FROM dict_biz d WHERE d."tenantId" = i."tenantId" AND d.code = 'nation' AND d."isDeleted" = 0);
UPDATE examsignitems i SET "inputType" = 7, "dictCode" = 'nation', rules = nullif(rules - 'maxLength', '{}')
WHERE "itemCode" = 'nation' AND "inputType" = 1
  AND EXISTS (SELECT FROM dict_biz d WHERE d."tenantId" = i."tenantId" AND d.code = 'nation' AND d."isDeleted" = 0);

-- Words become keys, with and without 族; what is in no dictionary stays as it was written and is shown so. The histories of
-- sign-ups and reviews stay as they are: they tell what was written then, and a digest stands over them.
UPDATE signup s SET content = jsonb_set(content, '{nation}', to_jsonb(d."dictKey"))
FROM dict_biz d
WHERE d."tenantId" = s."tenantId" AND d.code = 'nation' AND d."dictKey" <> '-1' AND d."isDeleted" = 0
  AND jsonb_typeof(s.content -> 'nation') = 'string'
  AND d."dictValue" IN (btrim(s.content ->> 'nation'), btrim(s.content ->> 'nation') || '族')
  AND EXISTS (SELECT FROM examsignitems i WHERE i."examId" = s."examId" AND i."itemCode" = 'nation' AND i."dictCode" = 'nation'
    AND i."isDeleted" = 0);
