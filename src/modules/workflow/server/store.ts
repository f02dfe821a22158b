import { sql } from 'kysely'
import { FlowRun } from '#schemas/dictionaries'
import type { Live } from '../../../platform/database/live.ts'
import type { Graph } from '../rules/flow-graph.ts'
import type { Run } from '../rules/run/run.ts'
import { type Entry, isPassing, type RunState, type Task, type Token, TokenState } from '../rules/run/state.ts'
import { upgradeGraph } from '../rules/upgrade-graph.ts'
import './flow-tables.ts'
import { tellTasks } from './task-told.ts'

/** A run that is held while it moves: whoever else wants to move or end it waits. */
export interface HeldRun {
  readonly id: string
  readonly title: string
  readonly businessTable: string
  readonly businessId: string
  readonly parentInstance: string | null
  readonly parentToken: string | null
  readonly rootInstance: string | null
  readonly depth: number
  readonly incident: string | null
  readonly incidentToken: string | null
  readonly deploymentId: string
  readonly graph: Graph
  readonly state: RunState
}

const tokenColumns = ['id', 'parentId', 'nodeId', 'viaFlow', 'state', 'loc', 'madeBy', 'endedBy'] as const

type TokenRow = {
  id: string
  parentId: string | null
  nodeId: string
  viaFlow: string | null
  state: TokenState
  loc: Token['loc']
  madeBy: string | null
  endedBy: string | null
}

const tokenOf = ({ parentId, nodeId, viaFlow, ...row }: TokenRow): Token => ({
  ...row,
  parent: parentId,
  node: nodeId,
  via: viaFlow,
})

/** Columns of a task as the rules of runs know it. */
const taskColumns = [
  'id',
  'tokenId',
  'nodeId',
  'name',
  'assignee',
  'owner',
  'candidateUsers',
  'candidateGroups',
  'formKey',
  'priority',
  'dueTime',
  'state',
  'pass',
  'comment',
  'parentTask',
  'signKind',
  'createTime',
  'claimTime',
  'endTime',
  'endedBy',
  'isFinal',
] as const

type TaskRow = Omit<Task, 'token' | 'node'> & { tokenId: string; nodeId: string }

const taskOf = ({ tokenId, nodeId, ...row }: TaskRow): Task => ({ ...row, token: tokenId, node: nodeId })

/** Adds tokens with their tasks to what is in memory; what is there already stays. */
async function addTokens(db: Live, state: RunState, rows: readonly TokenRow[]): Promise<void> {
  const fresh = rows.filter(({ id }) => !state.tokens.has(id))
  if (fresh.length === 0) return
  for (const row of fresh) state.tokens.set(row.id, tokenOf(row))
  const tasks = await db
    .selectFrom('flow_task')
    .select(taskColumns)
    .where(
      'tokenId',
      'in',
      fresh.map(({ id }) => id),
    )
    .orderBy('id')
    .execute()
  for (const row of tasks) state.tasks.set(row.id, taskOf(row))
}

/** A run as it stands, without waiting for anybody. @returns undefined when it is not there */
export async function readRun(db: Live, id: string): Promise<HeldRun | undefined> {
  const row = await db
    .selectFrom('flow_instance as i')
    .innerJoin('flow_version as v', 'v.id', 'i.versionId')
    .select(['i.id', 'i.title', 'i.businessTable', 'i.businessId', 'i.starter', 'i.facts', 'i.variables', 'i.status'])
    .select(['i.passState', 'i.endReason', 'i.parentInstance', 'i.parentToken', 'i.rootInstance', 'i.depth'])
    .select(['i.incident', 'i.incidentToken', 'v.graph', 'v.deploymentId'])
    .where('i.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { graph, starter, facts, variables, status, passState, endReason, title, ...rest } = row
  const state: RunState = {
    starter,
    facts,
    variables,
    status,
    passState,
    endReason,
    errorCode: null,
    tokens: new Map(),
    tasks: new Map(),
  }
  const open = await db
    .selectFrom('flow_token')
    .select(tokenColumns)
    .where('instanceId', '=', id)
    .where('state', '<', sql.lit(TokenState.over))
    .orderBy('id')
    .execute()
  await addTokens(db, state, open)
  const causes = open.flatMap(({ loc }) => (typeof loc.$direct === 'string' ? [loc.$direct] : []))
  if (causes.length > 0) await readEnded(db, state, causes)
  return { ...rest, title: title ?? '', graph: upgradeGraph(graph), state }
}

/** Adds what the decisions of tasks have ended, to begin it anew. */
async function readEnded(db: Live, state: RunState, causes: readonly string[]): Promise<void> {
  await addTokens(
    db,
    state,
    await db.selectFrom('flow_token').select(tokenColumns).where('endedBy', 'in', causes).orderBy('id').execute(),
  )
}

/** Adds what the decision of a task has made and ended, and what is around that, to take it back. */
export async function readMove(db: Live, state: RunState, task: string): Promise<void> {
  await readEnded(db, state, [task])
  await addTokens(
    db,
    state,
    await db.selectFrom('flow_token').select(tokenColumns).where('madeBy', '=', task).orderBy('id').execute(),
  )
  const around = () =>
    [...state.tokens.values()].flatMap(({ parent }) => (parent && !state.tokens.has(parent) ? [parent] : []))
  for (let missing = around(); missing.length > 0; missing = around())
    await addTokens(
      db,
      state,
      await db.selectFrom('flow_token').select(tokenColumns).where('id', 'in', missing).execute(),
    )
}

/**
 * Holds a running run. The caller has a transaction; nothing else of the run may be locked before.
 * @returns undefined when it is not there or over
 */
export async function holdRun(db: Live, id: string): Promise<HeldRun | undefined> {
  const held = await db
    .selectFrom('flow_instance')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', sql.lit(FlowRun.running))
    .forNoKeyUpdate()
    .executeTakeFirst()
  return held && readRun(db, id)
}

async function newIds(db: Live, n: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < n) {
    const columns = Array.from({ length: Math.min(100, n - ids.length) }, (_, at) =>
      sql<string>`next_id()`.as(`n${at}`),
    )
    const row = await db.selectNoFrom(columns).executeTakeFirstOrThrow()
    ids.push(...Object.values(row))
  }
  return ids
}

/** What a move has made, by the ids it is stored under. */
export interface Kept {
  /** The stored id of what is in memory. */
  idOf(id: string): string
}

/** Writes what a move has changed of tokens, tasks, history and the run itself. */
export async function writeRun(
  db: Live,
  { id: instanceId, deploymentId }: Pick<HeldRun, 'id' | 'deploymentId'>,
  { state, changes }: Run,
  { userId, now }: { userId: string | null; now: Date },
): Promise<Kept> {
  const tokens = [...changes.tokens].filter(one => !isPassing(one))
  const tasks = [...changes.tasks].filter(one => !isPassing(state.tokens.get(one.token) as Token))
  const fresh = [...tokens, ...tasks].map(one => one.id).filter(one => one.startsWith('+'))
  const stored = await newIds(db, fresh.length)
  const ids = new Map(fresh.map((one, at) => [one, stored[at] as string]))
  const idOf = (one: string): string => ids.get(one) ?? one
  const maybe = (one: string | null) => (one === null ? null : idOf(one))
  await writeTokens(db, tokens, { instanceId, now, idOf, maybe })
  await writeTasks(db, tasks, { instanceId, now, idOf, maybe }, deploymentId)
  const over = changes.over.filter(one => !one.id.startsWith('+')).map(one => one.id)
  if (over.length > 0)
    await db
      .updateTable('flow_activity')
      .set({ endTime: now })
      .where('tokenId', 'in', over)
      .where('endTime', 'is', null)
      .execute()
  const closed = changes.closed.filter(one => !one.id.startsWith('+')).map(one => one.id)
  if (closed.length > 0)
    await db
      .updateTable('flow_activity')
      .set({ endTime: now })
      .where('taskId', 'in', closed)
      .where('endTime', 'is', null)
      .execute()
  await writeEntries(db, changes.entries, state, { instanceId, now, idOf, maybe })
  const isOver = state.status !== FlowRun.running
  await db
    .updateTable('flow_instance')
    .set({
      variables: JSON.stringify(state.variables),
      facts: JSON.stringify(state.facts),
      status: state.status,
      passState: state.passState,
      endReason: state.endReason,
      ...(isOver && { endTime: now, endUser: userId, incident: null, incidentToken: null }),
    })
    .where('id', '=', instanceId)
    .execute()
  return { idOf }
}

interface Writing {
  instanceId: string
  now: Date
  idOf(id: string): string
  maybe(id: string | null): string | null
}

async function writeTokens(
  db: Live,
  tokens: readonly Token[],
  { instanceId, now, idOf, maybe }: Writing,
): Promise<void> {
  const isNew = ({ id }: Token) => id.startsWith('+')
  const values = tokens.filter(isNew).map(one => ({
    id: idOf(one.id),
    instanceId,
    parentId: maybe(one.parent),
    nodeId: one.node,
    viaFlow: one.via,
    state: one.state,
    loc: JSON.stringify(one.loc),
    madeBy: one.madeBy,
    createTime: now,
  }))
  if (values.length > 0) await db.insertInto('flow_token').values(values).execute()
  for (const one of tokens.filter(each => !isNew(each)))
    await db
      .updateTable('flow_token')
      .set({
        state: one.state,
        loc: JSON.stringify(one.loc),
        ...(one.state === TokenState.over && { endedBy: one.endedBy, endTime: now }),
      })
      .where('id', '=', one.id)
      .execute()
}

async function writeTasks(
  db: Live,
  tasks: readonly Task[],
  { instanceId, idOf, maybe }: Writing,
  deploymentId: string,
): Promise<void> {
  const rowOf = ({ token, node, parentTask, ...task }: Task) => ({
    ...task,
    id: idOf(task.id),
    instanceId,
    tokenId: idOf(token),
    nodeId: node,
    parentTask: maybe(parentTask),
    candidateUsers: [...task.candidateUsers],
    candidateGroups: [...task.candidateGroups],
  })
  const isNew = ({ id }: Task) => id.startsWith('+')
  const values = tasks.filter(isNew).map(rowOf)
  const stored = tasks.filter(one => !isNew(one)).map(({ id }) => id)
  const before =
    stored.length === 0
      ? []
      : await db.selectFrom('flow_task').select(['id', 'assignee', 'state']).where('id', 'in', stored).execute()
  if (values.length > 0) await db.insertInto('flow_task').values(values).execute()
  for (const one of tasks.filter(each => !isNew(each))) {
    const { assignee, owner, state, pass, comment, claimTime, endTime, endedBy, isFinal } = one
    await db
      .updateTable('flow_task')
      .set({ assignee, owner, state, pass, comment, claimTime, endTime, endedBy, isFinal })
      .where('id', '=', one.id)
      .execute()
  }
  const told = tasks.map(one => ({ ...one, id: idOf(one.id) }))
  await tellTasks(db, deploymentId, told, before)
}

async function writeEntries(
  db: Live,
  entries: readonly Entry[],
  state: RunState,
  { instanceId, now, idOf }: Writing,
): Promise<void> {
  if (entries.length === 0) return
  const values = entries.map(({ token, task, node, type, name, assignee, isOver }) => {
    const at = state.tokens.get(token) as Token
    const made = task === null ? undefined : (state.tasks.get(task) as Task)
    const isGone = isPassing(at)
    const hasEnded = isOver || at.state === TokenState.over || (made && made.endTime !== null)
    return {
      instanceId,
      activityId: node,
      type,
      name,
      assignee,
      tokenId: isGone ? null : idOf(token),
      taskId: task === null || isGone ? null : idOf(task),
      createTime: now,
      endTime: hasEnded ? now : null,
    }
  })
  await db.insertInto('flow_activity').values(values).execute()
}
