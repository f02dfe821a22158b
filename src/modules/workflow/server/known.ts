import type { AnyHandle } from '../../../platform/database/live.ts'
import { readPlatformParam } from '../../../platform/database/param.ts'
import type { Known } from '../rules/read-model.ts'
import { flowActions } from './actions.ts'
import { flowForms } from './forms.ts'

/** What models may refer to; they ask no other system. */
export const knownToModels: Known = { actions: flowActions, forms: flowForms.map(({ key }) => key), hosts: [] }

/** What models may refer to now, with the hosts that an administrator of the installation allows. */
export const knownNow = async (on: AnyHandle): Promise<Known> => ({
  ...knownToModels,
  hosts: (await readPlatformParam(on, 'flow.hosts')).split(','),
})
