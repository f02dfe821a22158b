import { apiScope } from '#resources/system/api-scope'
import { dataScope } from '#resources/system/data-scope'
import { menu } from '#resources/system/menu'
import { role } from '#resources/system/role'
import { topmenu } from '#resources/system/topmenu'
import { rules } from '../../../crud/rules.ts'
import { menuHooks } from './menu.ts'
import { roleHooks } from './role.ts'
import { apiScopeHooks, dataScopeHooks } from './scope.ts'
import { topmenuHooks } from './topmenu.ts'

/** Rules of roles, menus and scopes beyond their definitions. */
export const accessRules = [
  rules(role, { hooks: roleHooks }),
  rules(menu, { hooks: menuHooks }),
  rules(topmenu, { hooks: topmenuHooks }),
  rules(dataScope, { hooks: dataScopeHooks }),
  rules(apiScope, { hooks: apiScopeHooks }),
]
