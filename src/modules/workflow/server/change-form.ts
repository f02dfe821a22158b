import type { FastifyRequest } from 'fastify'
import type { Values } from '../../../crud/input.ts'
import { updateRow } from '../../../crud/store.ts'
import { writeWithin } from '../../../crud/write.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'
import { FlowProblem } from '../rules/problem.ts'
import type { Stored } from '../rules/run/state.ts'
import { readFields } from '../rules/variable-rights.ts'
import { startFields } from './begin.ts'
import { type FlowForm, formBody } from './form.ts'
import { claimFormFiles } from './form-files.ts'
import { formOfTable } from './forms.ts'
import type { HeldRun } from './store.ts'
import './flow-tables.ts'

type Given = Readonly<Record<string, unknown>>

/** The row that a process is about, changed by who began it. @returns as it was */
async function changeRow(
  request: FastifyRequest,
  db: LiveTrx,
  form: FlowForm,
  held: HeldRun,
  given: Given,
): Promise<Values> {
  const before: Values = await db
    .selectFrom(form.table as 'leave')
    .selectAll()
    .where('id', '=', held.businessId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (Object.keys(given).length === 0) return before
  const write = writeWithin(request, form.resource, db)
  const row = await updateRow(write, held.businessId, formBody(form, held.deploymentId, given))
  await claimFormFiles(db, write.person, form, { row, before })
  Object.assign(held.state.facts, form.facts(row))
  return before
}

/**
 * Who began a run has changed its form: what it holds is what the process decides by from now on.
 * @returns what it held before
 * @throws input.invalid, FlowProblem for what cannot be filled in
 */
export async function changeForm(
  request: FastifyRequest,
  db: LiveTrx,
  held: HeldRun,
  given: Given,
): Promise<object | null> {
  const entity = formOfTable(held.businessTable)
  if (entity) return changeRow(request, db, entity, held, given)
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
