import type { AnswerOf } from '#engine'
import { useEndpoint } from '../../../../../screens/parts/use-endpoint.ts'
import { modelChoices } from '../../../contract.ts'

/** What a model may name. */
export type Choices = AnswerOf<typeof modelChoices>

/** What a model may name; undefined while it is on its way. */
export const useChoices = (): Choices | undefined => useEndpoint(modelChoices, {}).data
