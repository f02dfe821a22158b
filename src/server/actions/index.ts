import { attachHooks } from './attach/hooks.ts'
import {
  disableStage,
  examinationHooks,
  examUserHooks,
  positionHooks,
  roomHooks,
  signFileHooks,
  signItemHooks,
  stageHooks,
} from './exam/hooks.ts'
import { changeItemStatus } from './items.ts'
import { noticeHooks } from './notice/hooks.ts'
import { deptHooks } from './system/dept.ts'
import { dictBizHooks, dictHooks } from './system/dict.ts'
import { menuHooks } from './system/menu.ts'
import { regionHooks } from './system/region.ts'
import { roleHooks } from './system/role.ts'
import { tenantHooks } from './system/tenant.ts'
import type { Handlers, HooksOf } from './types.ts'
import { userHandlers } from './user/handlers.ts'
import { userHooks } from './user/hooks.ts'

/** Rules beyond the definitions, by resource; each resource that has any keeps them in a file of its own. */
export const hooks: HooksOf = {
  user: userHooks,
  role: roleHooks,
  menu: menuHooks,
  dept: deptHooks,
  dict: dictHooks,
  'dict-biz': dictBizHooks,
  region: regionHooks,
  tenant: tenantHooks,
  examination: examinationHooks,
  examitems: positionHooks,
  examinationitem: stageHooks,
  examsignitems: signItemHooks,
  examsignfiles: signFileHooks,
  examuser: examUserHooks,
  examroom: roomHooks,
  attach: attachHooks,
  notice: noticeHooks,
}

/** Actions that compute, by resource and action. Actions with `set` need none; those with a route by hand neither. */
export const handlers: Handlers = {
  user: userHandlers,
  examinationitem: { disable: disableStage },
  items: { changeStatus: changeItemStatus },
}
