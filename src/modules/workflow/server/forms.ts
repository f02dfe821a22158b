import { expenseForm } from './expense-form.ts'
import type { FlowForm } from './form.ts'
import { leaveForm } from './leave-form.ts'

/** Entities that may be the form of a process. */
export const flowForms: readonly FlowForm[] = [leaveForm, expenseForm]

/** A form by the key that models name it by. */
export const formOfKey = (key: string | null | undefined): FlowForm | undefined =>
  flowForms.find(one => one.key === key)

/** The form whose rows a process is about. */
export const formOfTable = (table: string): FlowForm | undefined => flowForms.find(one => one.table === table)
