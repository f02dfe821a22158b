import type { Resource } from '#engine'
import { expense } from '#resources/workflow/expense'
import { leave } from '#resources/workflow/leave'
import type { RunDetail } from '../../contract.ts'

/** What is filled in at a step: an entity's form by its key, or fields of the model's own. */
export type StepForm = RunDetail['form']

/** A field of the model's own. */
export type OwnField = StepForm['fields'][number]

const resources: Readonly<Record<string, Resource>> = { leave, expense }

/** The resource whose form models name by a key. */
export const resourceOfForm = (key: string): Resource | undefined => resources[key]

/** True where nothing at all is filled in. */
export const isEmptyForm = ({ key, fields }: StepForm): boolean => !resourceOfForm(key) && fields.length === 0
