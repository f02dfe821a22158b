import { dict } from '#resources/system/dict'
import { dictBiz } from '#resources/system/dict-biz'
import { param } from '#resources/system/param'
import { region } from '#resources/system/region'
import { savedview } from '#resources/system/savedview'
import { rules } from '../../../crud/rules.ts'
import { dictBizHooks, dictHooks } from './dict.ts'
import { paramHooks } from './param.ts'
import { regionHooks } from './region.ts'
import { shareSavedView } from './saved-view.ts'

/** Rules of dictionaries, parameters, regions and views of lists beyond the definitions. */
export const settingRules = [
  rules(param, { hooks: paramHooks }),
  rules(dict, { hooks: dictHooks }),
  rules(dictBiz, { hooks: dictBizHooks }),
  rules(region, { hooks: regionHooks }),
  rules(savedview, { handlers: { share: shareSavedView } }),
]
