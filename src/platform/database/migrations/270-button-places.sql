-- Where a button stands is said as clients of Blade have it: 1 above the table, 2 at a row, 3 both; menus have none.
UPDATE menu SET action = CASE WHEN category = 2 AND action BETWEEN 0 AND 2 THEN action + 1 END WHERE action IS NOT NULL;
UPDATE dict SET "dictKey" = ("dictKey"::integer + 1)::text
  WHERE code = 'button_func' AND "dictKey" IN ('0', '1', '2') AND coalesce("parentId", 0) <> 0;

-- The button that sets a top menu has the name that clients look for. Who was granted it keeps it.
UPDATE menu SET code = 'topmenu_setting', alias = 'setting' WHERE code = 'topmenu_grant'
  AND NOT EXISTS (SELECT 1 FROM menu m WHERE m.code = 'topmenu_setting' AND m."isDeleted" = 0);
