import { dict } from '#resources/system/dict'
import { dictBiz } from '#resources/system/dict-biz'
import { param } from '#resources/system/param'
import { region } from '#resources/system/region'
import { rules } from '../../../crud/rules.ts'
import { dictBizHooks, dictHooks } from './dict.ts'
import { paramHooks } from './param.ts'
import { regionHooks } from './region.ts'

/** Rules of dictionaries, parameters and regions beyond the definitions. */
export const settingRules = [
  rules(param, { hooks: paramHooks }),
  rules(dict, { hooks: dictHooks }),
  rules(dictBiz, { hooks: dictBizHooks }),
  rules(region, { hooks: regionHooks }),
]
