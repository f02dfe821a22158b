import { readInput, type Values, wrongInput } from '../../../crud/input.ts'
import type { Live } from '../../../platform/database/live.ts'
import { FlowProblem } from '../rules/problem.ts'
import type { Stored } from '../rules/run/state.ts'
import { readFields } from '../rules/variable-rights.ts'
import { startFields } from './begin.ts'
import type { FlowForm } from './form.ts'
import { formOfTable } from './forms.ts'
import type { HeldRun } from './store.ts'
import './flow-tables.ts'

type Given = Readonly<Record<string, unknown>>

/** The row that a process is about, changed by who began it. @returns as it was */
async function changeRow(
  db: Live,
  { entity, table, check, facts }: FlowForm,
  held: HeldRun,
  given: Given,
): Promise<Values> {
  const rows = db
    .selectFrom(table as 'leave')
    .selectAll()
    .where('id', '=', held.businessId)
  const old: Values = await rows.forNoKeyUpdate().executeTakeFirstOrThrow()
  if (Object.keys(given).length === 0) return old
  const named = 'processDefinitionId' in entity.properties ? { processDefinitionId: held.deploymentId } : {}
  const { values, problems } = readInput(entity, { ...given, ...named }, 'add')
  if (problems.length > 0) throw wrongInput(problems)
  check?.(values, { userId: held.state.starter })
  await db
    .updateTable(table as 'leave')
    .set(values as object)
    .where('id', '=', held.businessId)
    .execute()
  Object.assign(held.state.facts, facts(await rows.executeTakeFirstOrThrow()))
  return old
}

/**
 * Who began a run has changed its form: what it holds is what the process decides by from now on.
 * @returns what it held before
 * @throws input.invalid, FlowProblem for what cannot be filled in
 */
export async function changeForm(db: Live, held: HeldRun, given: Given): Promise<object | null> {
  const entity = formOfTable(held.businessTable)
  if (entity) return changeRow(db, entity, held, given)
  const fields = startFields(held.graph)
  const other = Object.keys(given).find(name => !fields.some(({ id, writable }) => id === name && writable))
  if (other !== undefined) throw new FlowProblem(`变量${other.slice(0, 64)}不能修改`)
  const row = await db.selectFrom('flow_instance').select('startForm').where('id', '=', held.id).executeTakeFirst()
  const old: Stored = row?.startForm ?? {}
  const changed = { ...old, ...readFields(fields, { ...old, ...given }, true) }
  Object.assign(held.state.facts, changed)
  await db
    .updateTable('flow_instance')
    .set({ startForm: JSON.stringify(changed) })
    .where('id', '=', held.id)
    .execute()
  return old
}
