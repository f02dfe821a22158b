import { sql } from 'kysely'
import { FlowRun, FlowState } from '#schemas/dictionaries'
import './flow-tables.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { Graph } from '../rules/flow-graph.ts'
import type { RunState, Stored } from '../rules/run/state.ts'
import { upgradeGraph } from '../rules/upgrade-graph.ts'
import type { FlowServer } from './action.ts'
import { addCopies } from './copies.ts'
import { forPerson, moveRun } from './move.ts'

/** Who begins something, and when. */
export interface Starter {
  userId: string
  tenantId: string
  now: Date
}

/** What a process is begun for. */
export interface Beginning {
  /** Which deployed process; its newest version is taken. */
  deploymentId: string
  /** Key of dictionary `flow` that the process must have; any by default. */
  category?: number
  /** Row it is about. */
  businessTable: string
  businessId: string
  /** What the process is to decide by; the person who begins it is `applicant` and `initiator`. */
  facts: Stored
  /** What it is called; by its process and the person by default. */
  title?: string | undefined
  /** Who is told of it. */
  copyUsers?: readonly string[]
}

/** Process that calls another one. */
export interface Calling {
  readonly instance: string
  readonly token: string
  readonly root: string
  readonly depth: number
}

/** What a run begins with. */
interface Opening {
  readonly id: string
  readonly versionId: string
  readonly deploymentId: string
  readonly graph: Graph
  readonly title: string
  readonly businessTable: string
  readonly businessId: string
  readonly facts: Stored
  readonly variables: Stored
  readonly startForm: Stored | null
  readonly calling: Calling | null
}

/** The newest version of a deployed process; until the transaction ends nobody suspends it or takes it away. */
export async function versionToStart(
  db: Live,
  { deploymentId, category }: Pick<Beginning, 'deploymentId' | 'category'>,
) {
  const found = await db
    .selectFrom('flow_deployment as d')
    .innerJoin('flow_version as v', 'v.deploymentId', 'd.id')
    .select(['d.suspensionState', 'd.name', 'd.category', 'd.modelKey', 'd.id as deploymentId'])
    .select(['v.id as versionId', 'v.version', 'v.graph'])
    .where('d.id', '=', deploymentId)
    .$if(category !== undefined, query => query.where('d.category', '=', category as 1))
    .where('d.deployTime', 'is not', null)
    .orderBy('v.version', 'desc')
    .limit(1)
    .forShare('d')
    .executeTakeFirst()
  if (!found) throw refuse('row.notFound')
  if (found.suspensionState !== FlowState.active) throw refuse('workflow.suspended')
  return { ...found, graph: upgradeGraph(found.graph) }
}

/** The id of a run that is about to begin. */
export async function newRunId(db: Live): Promise<string> {
  const { id } = await db.selectNoFrom(sql<string>`next_id()`.as('id')).executeTakeFirstOrThrow()
  return id
}

/** What a run is called when nobody says. */
export async function titleOf(db: Live, name: string, userId: string): Promise<string> {
  const user = await db.selectFrom('user').select('realName').where('id', '=', userId).executeTakeFirst()
  return `${user?.realName ?? ''}的${name}`.slice(0, 200)
}

/**
 * Writes a run and moves it to its first steps.
 * @throws FlowProblem when it cannot begin
 */
export async function openRun(server: FlowServer, db: Live, starter: Starter, opening: Opening): Promise<void> {
  const { userId, now } = starter
  const { id, graph, calling, startForm, versionId, deploymentId, ...row } = opening
  const named = Object.fromEntries(graph.initiatorVariables.map(name => [name, userId]))
  const state: RunState = {
    starter: userId,
    facts: { ...row.facts, ...named, applicant: userId, initiator: userId },
    variables: row.variables,
    status: FlowRun.running,
    passState: null,
    endReason: null,
    errorCode: null,
    tokens: new Map(),
    tasks: new Map(),
  }
  await db
    .insertInto('flow_instance')
    .values({
      id,
      versionId,
      title: row.title,
      businessTable: row.businessTable,
      businessId: row.businessId,
      starter: userId,
      createTime: now,
      facts: JSON.stringify(state.facts),
      variables: JSON.stringify(state.variables),
      startForm: startForm && JSON.stringify(startForm),
      parentInstance: calling?.instance ?? null,
      parentToken: calling?.token ?? null,
      rootInstance: calling?.root ?? null,
      depth: (calling?.depth ?? 0) + 1,
    })
    .execute()
  const held = {
    id,
    title: row.title,
    businessTable: row.businessTable,
    businessId: row.businessId,
    parentInstance: calling?.instance ?? null,
    parentToken: calling?.token ?? null,
    rootInstance: calling?.root ?? null,
    depth: (calling?.depth ?? 0) + 1,
    incident: null,
    incidentToken: null,
    deploymentId,
    graph,
    state,
  }
  await moveRun(server, db, held, starter, run => run.begin())
}

/**
 * Begins a process about a business row, in the transaction that makes the row.
 * @returns the id of the instance
 * @throws row.notFound for a process that is not deployed, workflow.suspended for a suspended one, input.invalid when
 * nobody could do its first task
 */
export async function startProcess(server: FlowServer, db: Live, starter: Starter, wish: Beginning): Promise<string> {
  const { userId, now } = starter
  const { businessTable, businessId, facts, copyUsers = [] } = wish
  const version = await versionToStart(db, wish)
  const id = await newRunId(db)
  const title = wish.title || (await titleOf(db, version.name, userId))
  await forPerson(async () => {
    await openRun(server, db, starter, {
      ...version,
      id,
      title,
      businessTable,
      businessId,
      facts,
      variables: {},
      startForm: null,
      calling: null,
    })
    await addCopies(db, { instanceId: id, nodeId: null, now }, copyUsers)
  })
  return id
}
