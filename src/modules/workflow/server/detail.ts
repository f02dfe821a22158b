import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { ReplyOf } from '#engine'
import { FlowRun } from '#schemas/dictionaries'
import type { Caller } from '../../../platform/access/server/caller.ts'
import { approvalOf } from '../../../platform/accounts/server/approvals.ts'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { runDetail, startForm } from '../contract.ts'
import type { FormField } from '../rules/flow-graph.ts'
import { canTakeBack } from '../rules/run/acts.ts'
import { isOpen, type Stored, type Task, TaskState, TokenState } from '../rules/run/state.ts'
import { heedsDecision, stepOf } from '../rules/run/ways.ts'
import { fieldsAt } from '../rules/variable-rights.ts'
import { formOf, startFields } from './begin.ts'
import { chosenIn } from './chosen.ts'
import type { FlowForm } from './form.ts'
import { formOfTable } from './forms.ts'
import { takesPart } from './history.ts'
import { lookInto } from './move.ts'
import { canCancel, managing } from './office.ts'
import { versionToStart } from './start.ts'
import { type HeldRun, readMove, readRun } from './store.ts'
import { isCandidate } from './waiting.ts'

type Detail = ReplyOf<typeof runDetail>
type OpenTask = Detail['open'][number]
type OwnTask = Detail['tasks'][number]
type Form = Detail['form']

const fieldShape = ({ values, default: preset, ...field }: FormField) => ({
  ...field,
  ...(preset !== undefined && { default: preset }),
  ...(values && { values: [...values] }),
})

/** The form of a run whose form is an entity: its row. */
async function entityForm(db: Live, form: FlowForm, businessId: string): Promise<Form> {
  const row = await db
    .selectFrom(form.table as 'leave')
    .selectAll()
    .where('id', '=', businessId)
    .executeTakeFirst()
  const values = row ? { ...row, ...(await form.shown?.(db, row)) } : {}
  return { key: form.key, fields: [], values }
}

/** What the process of a business row decides by, to look at. */
function approvalForm(table: string, facts: Stored): Form | undefined {
  const terms = approvalOf(table)
  if (!terms) return undefined
  const fields = Object.entries(terms.facts).map(([id, name]) => ({
    id,
    name,
    type: terms.files?.includes(id) ? ('file' as const) : ('string' as const),
    required: false,
    readable: true,
    writable: false,
  }))
  const shown = fields.filter(({ id }) => facts[id] !== undefined && facts[id] !== '')
  return { key: null, fields: shown, values: Object.fromEntries(shown.map(({ id }) => [id, facts[id]])) }
}

/** What the names of groups are called. */
async function candidateNames(db: Live, tasks: readonly Task[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  const groups = tasks.flatMap(one => [...one.candidateGroups])
  const ids = (kind: string) => groups.flatMap(one => (one.startsWith(`${kind}:`) ? one.slice(kind.length + 1) : []))
  const users = tasks.flatMap(one => [...one.candidateUsers])
  const roles = groups.filter(one => !one.includes(':'))
  if (roles.length > 0)
    for (const one of await db
      .selectFrom('role')
      .select(['roleAlias', 'roleName'])
      .where('roleAlias', 'in', roles)
      .execute())
      names.set(one.roleAlias, one.roleName)
  if (ids('dept').length > 0)
    for (const one of await db.selectFrom('dept').select(['id', 'deptName']).where('id', 'in', ids('dept')).execute())
      names.set(`dept:${one.id}`, one.deptName)
  if (ids('post').length > 0)
    for (const one of await db.selectFrom('post').select(['id', 'postName']).where('id', 'in', ids('post')).execute())
      names.set(`post:${one.id}`, one.postName)
  if (users.length > 0)
    for (const one of await db.selectFrom('user').select(['id', 'realName']).where('id', 'in', users).execute())
      names.set(`user:${one.id}`, one.realName)
  return names
}

/** Tasks as pages show them. */
async function shown(db: Live, tasks: readonly Task[], now: Date): Promise<Map<string, OpenTask>> {
  if (tasks.length === 0) return new Map()
  const candidates = await candidateNames(
    db,
    tasks.filter(one => one.state === TaskState.claimable),
  )
  const rows = await db
    .selectFrom('flow_task as t')
    .leftJoin(withRemoved('user as u'), 'u.id', 't.assignee')
    .select(['t.id', 't.urgeCount', 'u.realName'])
    .where(
      't.id',
      'in',
      tasks.map(({ id }) => id),
    )
    .execute()
  return new Map(
    tasks.map(task => {
      const { urgeCount = 0, realName = null } = rows.find(({ id }) => id === task.id) ?? {}
      const groups = [...task.candidateUsers.map(one => `user:${one}`), ...task.candidateGroups]
      return [
        task.id,
        {
          taskId: task.id,
          taskName: task.name,
          activityId: task.node,
          state: task.state,
          assignee: task.assignee,
          assigneeName: realName,
          candidates: task.state === TaskState.claimable ? groups.flatMap(one => candidates.get(one) ?? []) : [],
          createTime: task.createTime,
          dueTime: task.dueTime,
          overdue: isOpen(task) && task.dueTime !== null && task.dueTime < now,
          urgeCount,
          parentTask: task.parentTask,
          signKind: task.signKind,
        },
      ]
    }),
  )
}

interface Looking {
  readonly server: FastifyInstance
  readonly db: Live
  readonly person: Person
  readonly held: HeldRun
  readonly now: Date
}

/** What a person may do with a task of theirs. */
function actsOf({ held, person }: Looking, task: Task, isClaimable: boolean): OwnTask['acts'] {
  const may = (code: string) => person.permissions.has(code)
  if (task.state === TaskState.claimable) return isClaimable && may('work_claim_act') ? ['claim'] : []
  if (task.assignee !== person.userId || !may('work_todo_act')) return []
  if (task.state === TaskState.delegated) return ['resolve']
  if (task.state !== TaskState.open) return []
  const isStart = task.node === held.graph.start
  if (isStart) return ['complete']
  const node = stepOf(held.graph, task.node)
  const isParallel = node.loop !== undefined && !node.loop.sequential
  return [
    'complete',
    'back',
    'transfer',
    'delegate',
    'signBefore',
    'signAfter',
    ...(isParallel ? (['signParallel'] as const) : []),
    ...(task.claimTime && may('work_claim_act') ? (['unclaim'] as const) : []),
  ]
}

/** The form of a task: its own fields, with what is known of them. */
function taskForm({ held }: Looking, task: Task, start: Form): Form {
  if (task.node === held.graph.start) return start
  const fields = fieldsAt(stepOf(held.graph, task.node))
  const known = { ...held.state.variables, ...held.state.facts }
  const readable = fields.filter(one => one.readable)
  return {
    key: null,
    fields: readable.map(fieldShape),
    values: Object.fromEntries(readable.flatMap(({ id }) => (Object.hasOwn(known, id) ? [[id, known[id]]] : []))),
  }
}

/** The caller's tasks: what is open, what may be claimed, and what can be taken back. */
async function ownTasks(looking: Looking, start: Form): Promise<OwnTask[]> {
  const { server, db, person, held, now } = looking
  const open = [...held.state.tasks.values()].filter(isOpen)
  const claimable = await db
    .selectFrom('flow_task as t')
    .select('t.id')
    .where('t.instanceId', '=', held.id)
    .where(isCandidate(db, person))
    .execute()
  const mayClaim = (task: Task) => claimable.some(({ id }) => id === task.id)
  const own = open.filter(one => one.assignee === person.userId || mayClaim(one))
  const done = await withdrawable(looking)
  const signs = open.filter(one => one.parentTask !== null)
  const all = await shown(db, [...own, ...done, ...signs], now)
  const run = lookInto(server, db, held, { ...person, now })
  return [...own, ...done].map(task => {
    const node = stepOf(held.graph, task.node)
    const isDone = done.includes(task)
    return {
      ...(all.get(task.id) as OpenTask),
      form: taskForm(looking, task, start),
      documentation: node.type === 'userTask' ? (node.documentation ?? null) : null,
      acts: isDone ? (['withdraw'] as const).slice() : actsOf(looking, task, mayClaim(task)),
      refusalEnds: !node.loop && node.type === 'userTask' && !heedsDecision(run.graph, node.id),
      signs: signs.filter(one => one.parentTask === task.id).map(one => all.get(one.id) as OpenTask),
    }
  })
}

/** Decisions of the caller that can be taken back. */
async function withdrawable({ server, db, person, held, now }: Looking): Promise<Task[]> {
  if (held.state.status !== FlowRun.running || !person.permissions.has('work_todo_act')) return []
  const rows = await db
    .selectFrom('flow_task')
    .select('id')
    .where('instanceId', '=', held.id)
    .where('assignee', '=', person.userId)
    .where('state', '=', sql.lit(TaskState.done))
    .where('isFinal', '=', false)
    .orderBy('id', 'desc')
    .limit(5)
    .execute()
  const found: Task[] = []
  for (const { id } of rows) {
    // Each by itself: what one decision has made may be what another one ended.
    const fresh = await readRun(db, held.id)
    if (!fresh) continue
    await readMove(db, fresh.state, id)
    const task = fresh.state.tasks.get(id)
    if (task && canTakeBack(lookInto(server, db, fresh, { ...person, now }), task)) found.push(task)
  }
  return found
}

/** What a person may do with a whole run. */
async function runActs({ db, person, held }: Looking): Promise<Detail['acts']> {
  if (held.state.status !== FlowRun.running) return []
  const isOwn = held.state.starter === person.userId
  const isManaging = person.permissions.has(managing)
  const waits = [...held.state.tokens.values()].some(
    one => one.state === TokenState.waiting && stepOf(held.graph, one.node).type === 'receiveTask',
  )
  const mayCancel = isOwn && (await canCancel(db, held))
  return [
    ...(mayCancel ? (['cancel'] as const) : []),
    ...(isOwn || person.permissions.has('flow_follow') ? (['urge'] as const) : []),
    ...(isManaging ? (['end', 'transfer', 'variable'] as const) : []),
    ...(isManaging && held.incident !== null ? (['retry'] as const) : []),
    ...(isManaging && waits ? (['continue'] as const) : []),
  ]
}

/** Permissions to look at runs without a part in them. */
const looking = ['flow_follow', 'flow_manager']

/**
 * Everything about a run for the pages that show it and do something with it.
 * @throws row.notFound when it is not there for this person
 */
export async function detailOfRun(server: FastifyInstance, { db, person, now }: Caller, id: string): Promise<Detail> {
  const isManaging = looking.some(code => person.permissions.has(code))
  const row = await db
    .selectFrom('flow_instance as i')
    .innerJoin('flow_version as v', 'v.id', 'i.versionId')
    .innerJoin(withRemoved('flow_deployment as d'), 'd.id', 'v.deploymentId')
    .leftJoin(withRemoved('user as u'), 'u.id', 'i.starter')
    .select(['i.id as processInstanceId', 'i.parentInstance as parentProcessInstanceId', 'i.businessTable'])
    .select(['i.businessId', 'i.starter', 'u.realName as starterName', 'i.createTime', 'i.endTime', 'i.status'])
    .select(['i.passState', 'i.endReason', 'i.incident', 'i.startForm', 'd.id as processDefinitionId'])
    .select(['d.modelKey as processDefinitionKey', 'd.name as processDefinitionName', 'd.category'])
    .select(['v.version as processDefinitionVersion', sql<string>`coalesce(i.title, d.name)`.as('title')])
    .where('i.id', '=', id)
    .$if(!isManaging, query => query.where(takesPart(db, person)))
    .executeTakeFirst()
  const held = row && (await readRun(db, id))
  if (!row || !held) throw refuse('row.notFound')
  const { startForm: values, ...shape } = row
  const entity = formOfTable(row.businessTable)
  const fields = startFields(held.graph)
  const form: Form = entity
    ? await entityForm(db, entity, row.businessId)
    : (approvalForm(row.businessTable, held.state.facts) ?? {
        key: null,
        fields: fields.filter(one => one.readable).map(fieldShape),
        values: values ?? {},
      })
  const seen: Looking = { server, db, person, held, now }
  const open = [...held.state.tasks.values()].filter(isOpen)
  return {
    ...shape,
    form,
    open: [...(await shown(db, open, now)).values()],
    tasks: await ownTasks(seen, form),
    acts: await runActs(seen),
  }
}

/**
 * What somebody fills in to begin a process.
 * @throws row.notFound when it is not deployed, workflow.suspended
 */
export async function startFormOf(db: Live, deploymentId: string): Promise<ReplyOf<typeof startForm>> {
  const { graph, category, name, modelKey, version } = await versionToStart(db, { deploymentId })
  const form = formOf(graph, category)
  const fields = form ? [] : startFields(graph).filter(one => one.readable)
  const inForm = new Set(form ? Object.keys(form.entity.properties) : [])
  const preset = fields.flatMap(one => (one.default === undefined ? [] : [[one.id, one.default] as const]))
  return {
    processDefinitionId: deploymentId,
    processDefinitionKey: modelKey,
    processDefinitionName: name,
    category,
    version,
    form: { key: form?.key ?? null, fields: fields.map(fieldShape), values: Object.fromEntries(preset) },
    chosen: chosenIn(graph).filter(one => !inForm.has(one.name)),
  }
}
