-- Installations older than the engine of processes have the menus 流程 without the grants that its built-in roles begin with today.
-- A role that holds any of them was given it by its administrator and stays as it is; what a tenant's package leaves out stays
-- closed as for every grant.
INSERT INTO role_menu ("roleId", "menuId")
SELECT r.id, m.id FROM role r
JOIN menu m ON m."isDeleted" = 0 AND m.code IN ('work', 'work_start', 'work_claim', 'work_claim_act', 'work_todo',
  'work_todo_act', 'work_send', 'work_done')
WHERE r."isDeleted" = 0 AND r."roleAlias" IN ('exam_admin', 'reviewer', 'rechecker', 'finance', 'operator')
  AND NOT EXISTS (SELECT 1 FROM role_menu g JOIN menu held ON held.id = g."menuId"
    WHERE g."roleId" = r.id AND (held.code = 'work' OR held.code LIKE 'work\_%'));
