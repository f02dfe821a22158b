import { dept } from '#resources/system/dept'
import { idclaim } from '#resources/system/idclaim'
import { user } from '#resources/system/user'
import { userupdateinfo } from '#resources/system/userupdateinfo'
import { rules } from '../../../crud/rules.ts'
import { accountStateRules } from './account-state.ts'
import { idclaimHandlers } from './claim-decision.ts'
import { deriveHolder } from './claim-holder.ts'
import { deptHooks } from './dept.ts'
import { userHandlers } from './handlers.ts'
import { userHooks } from './hooks.ts'
import { updateRequestHooks, updateRequestRules } from './update-request.ts'

/** Rules of accounts and departments beyond their definitions. */
export const accountRules = [
  rules(dept, { hooks: deptHooks }),
  rules(user, { hooks: userHooks, handlers: userHandlers }),
  ...accountStateRules,
  rules(userupdateinfo, { hooks: updateRequestHooks }),
  ...updateRequestRules,
  rules(idclaim, { hooks: { derive: deriveHolder }, handlers: idclaimHandlers }),
]
