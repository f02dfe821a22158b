import { sql } from 'kysely'
import { FlowRun, FlowState, WorkState } from '#schemas/dictionaries'
import { type Live, type LiveTrx, liveFor } from '../../../platform/database/live.ts'
import { Refusal } from '../../../platform/http/server/refusal.ts'
import { FinalFailure, type Piece } from '../../../platform/queue/piece.ts'
import { FlowProblem } from '../rules/problem.ts'
import { answered, type ChildEnd, childEnded, timerFired } from '../rules/run/acts.ts'
import { FlowError } from '../rules/run/env.ts'
import { limits } from '../rules/run/limits.ts'
import type { Run } from '../rules/run/run.ts'
import { type Token, TokenState } from '../rules/run/state.ts'
import { stepOf } from '../rules/run/ways.ts'
import { upgradeGraph } from '../rules/upgrade-graph.ts'
import type { Value } from '../rules/value.ts'
import type { FlowServer, Mover } from './action.ts'
import { actionOf } from './actions.ts'
import { endRuns } from './end.ts'
import { clearIncident, moveRun } from './move.ts'
import { newRunId, openRun, titleOf } from './start.ts'
import { type HeldRun, holdRun, readRun } from './store.ts'
import './flow-tables.ts'
import { keyOf } from './work-items.ts'

type FlowKind = 'flow.timer' | 'flow.call' | 'flow.resume'
type FlowPiece = Piece<FlowKind>

interface Place {
  readonly instanceId: string
  readonly tokenId: string
  readonly nodeId: string
}

const handleOf = (server: FlowServer, tenantId: string): Live =>
  liveFor(server, { tenantId, userId: null, now: () => server.now() })

/** What somebody reads of an error: problems and refusals in their words, anything else in few. */
const wordsOf = (error: unknown): string =>
  error instanceof FlowProblem || error instanceof Refusal || error instanceof FlowError
    ? error.message.slice(0, 500)
    : '系统异常'

/** Whether trying again would come to the same. */
const isFinal = (error: unknown): boolean =>
  error instanceof FlowProblem || error instanceof Refusal || error instanceof FinalFailure

/** Notes what keeps a run from going on, where it still stands at that place. */
async function raiseIncident(server: FlowServer, { tenantId }: FlowPiece, place: Place, words: string): Promise<void> {
  await handleOf(server, tenantId)
    .transaction()
    .execute(async trx => {
      const held = await holdRun(trx, place.instanceId)
      const token = held?.state.tokens.get(place.tokenId)
      if (!token || token.state === TokenState.over) return
      await trx
        .updateTable('flow_instance')
        .set({ incident: words, incidentToken: place.tokenId })
        .where('id', '=', place.instanceId)
        .execute()
    })
}

/**
 * Moves a run that waits at a place, if it still does. What cannot go on becomes an incident of the run, which somebody sees and
 * tries again.
 * @param work given the run and its token
 */
async function moveAt(
  server: FlowServer,
  piece: FlowPiece,
  place: Place,
  work: (run: Run, token: Token, db: LiveTrx) => Promise<unknown>,
): Promise<void> {
  const by: Mover = { tenantId: piece.tenantId, userId: null, now: server.now() }
  try {
    await handleOf(server, piece.tenantId)
      .transaction()
      .execute(async trx => {
        const held = await holdRun(trx, place.instanceId)
        // Ended before the move, which calls off everything its token has waited for.
        await piece.end(trx)
        const token = held?.state.tokens.get(place.tokenId)
        if (!held || !token || token.state !== TokenState.waiting) return
        if (held.incidentToken === token.id) await clearIncident(trx, held.id)
        await moveRun(server, trx, held, by, run => work(run, token, trx))
      })
  } catch (error) {
    await giveUp(server, piece, place, error)
  }
}

/** Lets work be tried again, or tells of it. */
async function giveUp(server: FlowServer, piece: FlowPiece, place: Place, error: unknown): Promise<never> {
  if (!isFinal(error) && !piece.isLast) throw error
  const words = wordsOf(error)
  await raiseIncident(server, piece, place, words)
  throw isFinal(error) ? new FinalFailure(words) : error
}

/** A timer: what goes off once more is entered again. */
async function goOff(server: FlowServer, piece: Piece<'flow.timer'>): Promise<void> {
  const { again, ...place } = piece.payload
  await moveAt(server, piece, place, async (run, token, trx) => {
    if (again)
      await server.queue.enter(trx, {
        kind: 'flow.timer',
        key: keyOf(place.tokenId, place.nodeId),
        tenantId: piece.tenantId,
        runAt: new Date(server.now().getTime() + again.every),
        payload: { ...place, again: again.left > 1 ? { ...again, left: again.left - 1 } : null },
      })
    await timerFired(run, token, place.nodeId)
  })
}

interface Called extends Place {
  readonly child: { key: string; variables: Record<string, Value>; businessKey: string | null }
}

/** Begins another process for one that waits for it; a second time nothing. */
async function beginChild(server: FlowServer, piece: FlowPiece, { child, ...place }: Called): Promise<void> {
  try {
    await handleOf(server, piece.tenantId)
      .transaction()
      .execute(async trx => {
        const begun = await trx
          .selectFrom('flow_instance')
          .select('id')
          .where('parentToken', '=', place.tokenId)
          .executeTakeFirst()
        // Whoever lets go of the token waits for this, and then finds the child.
        const waiting = await trx
          .selectFrom('flow_token')
          .select('id')
          .where('id', '=', place.tokenId)
          .where('state', '=', sql.lit(TokenState.waiting))
          .forShare()
          .executeTakeFirst()
        await piece.end(trx)
        if (!begun && waiting) await openChild(server, trx, piece.tenantId, place, child)
      })
    // By itself: no run is held together with one that it has called.
    await handleOf(server, piece.tenantId)
      .updateTable('flow_instance')
      .set({ incident: null, incidentToken: null })
      .where('id', '=', place.instanceId)
      .where('incidentToken', '=', place.tokenId)
      .execute()
  } catch (error) {
    await giveUp(server, piece, place, error)
  }
}

async function openChild(
  server: FlowServer,
  db: LiveTrx,
  tenantId: string,
  place: Place,
  { key, variables, businessKey }: Called['child'],
): Promise<void> {
  const parent = await readRun(db, place.instanceId)
  if (!parent) return
  if (parent.depth >= limits.depth) throw new FlowProblem(`流程相互调用不能超过${limits.depth}层`)
  const version = await db
    .selectFrom('flow_deployment as d')
    .innerJoin('flow_version as v', 'v.deploymentId', 'd.id')
    .select(['d.suspensionState', 'd.name', 'd.id as deploymentId', 'v.id as versionId', 'v.graph'])
    .where('d.modelKey', '=', key)
    .where('d.deployTime', 'is not', null)
    .orderBy('v.version', 'desc')
    .limit(1)
    .forShare('d')
    .executeTakeFirst()
  if (!version) throw new FlowProblem(`没有部署流程${key}`)
  if (version.suspensionState !== FlowState.active) throw new FlowProblem(`流程${key}已挂起`)
  const { starter } = parent.state
  const id = await newRunId(db)
  const { name, suspensionState: _, ...rest } = version
  await openRun(
    server,
    db,
    { userId: starter, tenantId, now: server.now() },
    {
      ...rest,
      graph: upgradeGraph(version.graph),
      id,
      title: parent.title || (await titleOf(db, name, starter)),
      businessTable: 'flow',
      businessId: /^[1-9]\d{0,18}$/.test(businessKey ?? '') ? (businessKey as string) : id,
      facts: {},
      variables,
      startForm: null,
      calling: {
        instance: parent.id,
        token: place.tokenId,
        root: parent.rootInstance ?? parent.id,
        depth: parent.depth,
      },
    },
  )
}

/** An action after a move; its answer moves the run on where that waits for it. */
async function act(server: FlowServer, piece: Piece<'flow.call'>): Promise<void> {
  const { payload } = piece
  if ('child' in payload) return beginChild(server, piece, payload)
  const { instanceId, tokenId, nodeId, action, fields } = payload
  const db = handleOf(server, piece.tenantId)
  const held = await readRun(db, instanceId)
  const isThere = tokenId === null || held?.state.tokens.get(tokenId)?.state === TokenState.waiting
  if (!held || !isThere) return
  const place = tokenId === null ? null : { instanceId, tokenId, nodeId }
  const answer = await answerOf(server, piece, { held, db, nodeId, action, fields })
  if (place) await moveAt(server, piece, place, (run, token) => answered(run, token, answer))
  else if ('error' in answer) throw answer.error
}

type Answer = { result: Value | undefined } | { error: FlowError }

interface Asked {
  held: HeldRun
  db: Live
  nodeId: string
  action: string
  fields: Readonly<Record<string, Value>>
}

/** What an action answers; once it has, it is not asked again though the move after it fails. */
async function answerOf(
  server: FlowServer,
  piece: Piece<'flow.call'>,
  { held, db, nodeId, action, fields }: Asked,
): Promise<Answer> {
  if (Object.hasOwn(piece.memo, 'result')) return { result: (piece.memo.result ?? null) as Value }
  const { payload, signal } = piece
  const tokenId = 'tokenId' in payload ? payload.tokenId : null
  const { starter } = held.state
  const context = { server, db, tenantId: piece.tenantId, now: server.now(), userId: null, signal }
  const run = { ...held, starter }
  const node = stepOf(held.graph, nodeId)
  const key = tokenId === null ? `flow-${piece.id}` : `flow-${tokenId}-${nodeId}`
  try {
    const result = await actionOf(action).run({ ...context, run, node, task: null, variables: {}, key }, fields)
    if (result !== undefined) await piece.note({ result })
    return { result }
  } catch (error) {
    // Tried often enough: the model may catch it.
    if (error instanceof FlowError && (error.isFinal || piece.isLast)) return { error }
    if (tokenId === null || error instanceof FlowError) throw error
    return giveUp(server, piece, { instanceId: held.id, tokenId, nodeId }, error)
  }
}

/** Another process is over, or is to end. */
async function resume(server: FlowServer, piece: Piece<'flow.resume'>): Promise<void> {
  const { payload } = piece
  const db = handleOf(server, piece.tenantId)
  if ('stopId' in payload) {
    const { stopId, reason } = payload
    const ending = { userId: null, tenantId: piece.tenantId, now: server.now(), reason }
    await db.transaction().execute(async trx => {
      await endRuns(server, trx, [stopId], ending)
      await piece.end(trx)
    })
    return
  }
  const { childId, error, ...place } = payload
  await moveAt(server, piece, place, async (run, token, trx) => {
    const child = await readRun(trx, childId)
    if (!child) return
    const { state } = child
    const end: ChildEnd =
      state.status === FlowRun.finished
        ? { variables: { ...state.variables, ...state.facts } }
        : { error: error ?? 'stopped' }
    await childEnded(run, token, end)
  })
}

/** Makes the work of processes known to the queue. */
export function addFlowWork(server: FlowServer): void {
  const common = { lane: 'flow', mostTries: 3 } as const
  /** Work that ended its server each time is told of, unless somebody is at the run just then. */
  const left = (item: { payload: object; tenantId: string }) => async () => {
    const place = item.payload as Partial<Place>
    if (!place.instanceId || !place.tokenId) return
    const live = handleOf(server, item.tenantId)
    await live
      .updateTable('flow_instance')
      .set({ incident: '多次中断', incidentToken: place.tokenId })
      .where('incident', 'is', null)
      .where('id', 'in', eb =>
        eb
          .selectFrom('flow_instance')
          .select('id')
          .where('id', '=', place.instanceId as string)
          .forNoKeyUpdate()
          .skipLocked(),
      )
      .execute()
  }
  const told: Parameters<typeof server.queue.add>[0]['left'] = async (_trx, item, { how }) => {
    if (how === 'failed') await left(item)()
  }
  server.queue.add({ kind: 'flow.timer', ...common, perform: piece => goOff(server, piece), left: told as never })
  server.queue.add({ kind: 'flow.call', ...common, perform: piece => act(server, piece), left: told as never })
  server.queue.add({ kind: 'flow.resume', ...common, perform: piece => resume(server, piece), left: told as never })
}

/**
 * Lets what keeps a run from going on be tried again, after somebody has put right what was wrong.
 * @returns how many pieces of work
 */
export async function retryWork(server: FlowServer, trx: LiveTrx, held: HeldRun): Promise<number> {
  const open = [...held.state.tokens.values()].filter(one => one.state === TokenState.waiting)
  const keys = open.flatMap(one =>
    [one.node, ...stepOf(held.graph, one.node).boundary].map(node => keyOf(one.id, node)),
  )
  if (keys.length === 0) return 0
  const failed = await trx
    .selectFrom('work_item')
    .select('id')
    .where('kind', 'in', ['flow.timer', 'flow.call', 'flow.resume'] as never[])
    .where('key', 'in', keys)
    .where('state', '=', WorkState.failed)
    .execute()
  let retried = 0
  for (const { id } of failed) if (await server.queue.retry(trx, { id })) retried += 1
  return retried
}
