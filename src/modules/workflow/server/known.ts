import type { Known } from '../rules/read-model.ts'
import { flowActions } from './actions.ts'
import { flowForms } from './forms.ts'

/** What models may refer to. */
export const knownToModels: Known = { actions: flowActions, forms: flowForms.map(({ key }) => key), hosts: [] }
