import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { BodyOf } from '#engine'
import { FlowCategory } from '#schemas/dictionaries'
import { isId } from '../../../crud/input.ts'
import { checked, insertValues } from '../../../crud/store.ts'
import { inWrite } from '../../../crud/write.ts'
import { callerOf } from '../../../platform/access/server/caller.ts'
import type { Live } from '../../../platform/database/live.ts'
import { type Person, person as personOf } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { startRun } from '../contract.ts'
import type { FormField, Graph } from '../rules/flow-graph.ts'
import { FlowProblem } from '../rules/problem.ts'
import type { Stored } from '../rules/run/state.ts'
import { stepOf } from '../rules/run/ways.ts'
import { fieldsAt, readFields } from '../rules/variable-rights.ts'
import { chosenIn } from './chosen.ts'
import { addCopies } from './copies.ts'
import { type FlowForm, formBody } from './form.ts'
import { claimFormFiles } from './form-files.ts'
import { formOfKey } from './forms.ts'
import { forPerson } from './move.ts'
import { ableOf } from './people.ts'
import { newRunId, openRun, type Starter, startProcess, titleOf, versionToStart } from './start.ts'
import { startableBy } from './starters.ts'

/** What a process is begun with besides its form. */
interface Wish {
  readonly deploymentId: string
  readonly title?: string | undefined
  readonly chosen?: Readonly<Record<string, unknown>> | undefined
  readonly copyUsers?: readonly string[] | undefined
}

/** The form of a process that is an entity; undefined where it has fields of its own, or none. Leaves always have theirs. */
export function formOf(graph: Graph, category: number): FlowForm | undefined {
  const start = stepOf(graph, graph.start)
  const form = start.type === 'startEvent' ? start.form : undefined
  const isLeave = category === FlowCategory.leave && !form?.key && !form?.fields.length
  return formOfKey(isLeave ? 'leave' : form?.key)
}

/** People the starter has picked for steps that ask for it. @throws FlowProblem when one is missing or could do nothing */
async function readChosen(db: Live, graph: Graph, form: Stored, given: Wish['chosen'] = {}): Promise<Stored> {
  const found: Stored = {}
  const asked = chosenIn(graph).filter(({ name }) => !Object.hasOwn(form, name))
  const other = Object.keys(given).find(name => !asked.some(one => one.name === name))
  if (other !== undefined) throw new FlowProblem(`变量${other.slice(0, 64)}不能修改`)
  for (const { name, taskName, several } of asked) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    const ids = (Array.isArray(value) ? value : [value]).flatMap(one =>
      one === undefined || one === '' ? [] : String(one),
    )
    if (ids.length === 0) throw new FlowProblem(`请选择${taskName}的办理人`)
    if (!several && ids.length > 1) throw new FlowProblem(`${taskName}的办理人只能是一人`)
    if ((await ableOf(db, ids)).length < new Set(ids).size) throw new FlowProblem(`${taskName}的办理人不能办理流程`)
    found[name] = several ? ids : (ids[0] as string)
  }
  return found
}

/**
 * Begins a process with a form that is an entity: the row and its process begin in one transaction.
 * @throws input.invalid for wrong input, row.notFound and workflow.suspended where the process cannot be begun
 */
export function beginForm(
  request: FastifyRequest,
  form: FlowForm,
  { deploymentId, title, chosen, copyUsers = [] }: Wish,
  body: unknown,
): Promise<{ id: string; processInstanceId: string }> {
  const me = personOf(request)
  if (!isId(deploymentId)) throw refuse('row.notFound')
  const given = formBody(form, deploymentId, body)
  return inWrite(request, form.resource, async write => {
    const { db, now } = write
    await requireStarter(db, me, deploymentId)
    const row = await insertValues(write, { ...(await checked(write, given, null)), ...form.filled?.(now) })
    await claimFormFiles(db, me, form, { row, before: null })
    const facts = form.facts(row)
    const version = await versionToStart(db, { deploymentId })
    const picked = await forPerson(() => readChosen(db, version.graph, facts, chosen))
    const businessId = String(row.id)
    const wish = {
      deploymentId,
      businessTable: form.table,
      businessId,
      title,
      copyUsers,
      facts: { ...facts, ...picked },
    }
    const category = form.category === undefined ? {} : { category: form.category }
    const processInstanceId = await startProcess(request.server, db, { ...me, now }, { ...wish, ...category })
    await db
      .updateTable(form.table as 'leave')
      .set({ processInstanceId })
      .where('id', '=', businessId)
      .execute()
    return { id: businessId, processInstanceId }
  })
}

/** Some models say who may begin them. @throws request.forbidden for anybody else */
async function requireStarter(db: Live, person: Person, deploymentId: string): Promise<void> {
  const own = await db
    .selectFrom('flow_deployment as d')
    .select('d.id')
    .where('d.id', '=', deploymentId)
    .where(await startableBy(db, person, 'd'))
    .executeTakeFirst()
  if (own) return
  const there = await db.selectFrom('flow_deployment').select('id').where('id', '=', deploymentId).executeTakeFirst()
  throw refuse(there ? 'request.forbidden' : 'row.notFound')
}

/** Fields of a process that has none of its own. */
const remark: readonly FormField[] = [
  { id: 'remark', name: '说明', type: 'string', required: false, readable: true, writable: true },
]

/** Fields that somebody fills in to begin a process whose form is no entity. */
export function startFields(graph: Graph): readonly FormField[] {
  const own = fieldsAt(stepOf(graph, graph.start))
  return own.length > 0 ? own : remark
}

/**
 * Begins a process of any model.
 * @throws request.forbidden for who may not begin it, row.notFound, workflow.suspended, input.invalid
 */
export async function beginRun(
  app: FastifyInstance,
  request: FastifyRequest,
  { processDefinitionId, form: given = {}, ...rest }: BodyOf<typeof startRun>,
): Promise<{ processInstanceId: string; businessId: string }> {
  const { db, person, now } = callerOf(app, request)
  const wish = { ...rest, deploymentId: processDefinitionId }
  const version = await versionToStart(db, wish)
  const form = formOf(version.graph, version.category)
  if (form) {
    const { id, processInstanceId } = await beginForm(request, form, wish, given)
    return { processInstanceId, businessId: id }
  }
  return db.transaction().execute(async trx => {
    await requireStarter(trx, person, wish.deploymentId)
    const { graph, name, ...found } = await versionToStart(trx, wish)
    const id = await newRunId(trx)
    const starter: Starter = { ...person, now }
    await forPerson(async () => {
      const other = Object.keys(given).find(key => !startFields(graph).some(one => one.id === key && one.writable))
      if (other !== undefined) throw new FlowProblem(`变量${other.slice(0, 64)}不能修改`)
      const startForm = readFields(startFields(graph), given, true)
      const chosen = await readChosen(trx, graph, startForm, wish.chosen)
      await openRun(app, trx, starter, {
        ...found,
        graph,
        id,
        title: wish.title || (await titleOf(trx, name, person.userId)),
        businessTable: 'generic',
        businessId: id,
        facts: { ...startForm, ...chosen },
        variables: {},
        startForm,
        calling: null,
      })
      await addCopies(trx, { instanceId: id, nodeId: null, now }, wish.copyUsers ?? [])
    })
    return { processInstanceId: id, businessId: id }
  })
}
