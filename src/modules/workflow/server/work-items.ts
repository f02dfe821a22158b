import { sql } from 'kysely'
import { FlowRun } from '#schemas/dictionaries'
import type { Live } from '../../../platform/database/live.ts'
import type { FlowNode } from '../rules/flow-graph.ts'
import type { Run } from '../rules/run/run.ts'
import { type Stored, TokenState } from '../rules/run/state.ts'
import { stepOf } from '../rules/run/ways.ts'
import type { Value } from '../rules/value.ts'
import type { FlowServer, Mover } from './action.ts'
import type { HeldRun, Kept } from './store.ts'
import './flow-tables.ts'

/** A place of a run that waits for something which is not a person. */
interface Place {
  instanceId: string
  tokenId: string
  nodeId: string
}

declare module '../../../platform/queue/piece.ts' {
  interface WorkKinds {
    /** A timer goes off. */
    'flow.timer': Place & { again: { left: number; every: number } | null }
    /** An action is done after the move, or another process is begun. */
    'flow.call':
      | (Place & { action: string; fields: Record<string, Value>; waits: true })
      | (Omit<Place, 'tokenId'> & { tokenId: null; action: string; fields: Record<string, Value>; waits: false })
      | (Place & { child: { key: string; variables: Stored; businessKey: string | null } })
    /** Another process that was called is over, or is to end because nobody waits for it any more. */
    'flow.resume': (Place & { childId: string; error: string | null }) | { stopId: string; reason: string }
  }
}

/** Under what name work of a place stands in the queue, one piece of a kind at a time. */
export const keyOf = (tokenId: string, nodeId: string): string => `${tokenId}-${nodeId}`.slice(0, 120)

/** Steps whose work a token may have entered: its own and those at its border. */
const eventsAt = (run: Run, { id, type, boundary }: FlowNode): { kind: 'flow.timer' | 'flow.call'; node: string }[] => [
  ...(type === 'intermediateCatchEvent' ? [{ kind: 'flow.timer' as const, node: id }] : []),
  ...(type === 'serviceTask' || type === 'sendTask' || type === 'callActivity'
    ? [{ kind: 'flow.call' as const, node: id }]
    : []),
  ...boundary.filter(one => 'timer' in stepOf(run.graph, one)).map(node => ({ kind: 'flow.timer' as const, node })),
]

/** Calls off what tokens that are over were waiting for. */
async function callOff(server: FlowServer, db: Live, run: Run, by: Mover): Promise<void> {
  const over = run.changes.over.filter(one => !one.id.startsWith('+'))
  for (const token of over)
    for (const { kind, node } of eventsAt(run, run.nodeOf(token)))
      await server.queue.cancel(db, { kind, key: keyOf(token.id, node) })
  const callers = over.filter(one => run.nodeOf(one).type === 'callActivity').map(({ id }) => id)
  if (callers.length === 0) return
  const children = await db
    .selectFrom('flow_instance')
    .select('id')
    .where('parentToken', 'in', callers)
    .where('status', '=', sql.lit(FlowRun.running))
    .execute()
  for (const { id } of children)
    await server.queue.enter(db, {
      kind: 'flow.resume',
      key: `stop-${id}`,
      tenantId: by.tenantId,
      payload: { stopId: id, reason: '上级流程已离开该步骤' },
    })
}

/** Tells the process that has called this one how it ended. */
async function tellParent(
  server: FlowServer,
  db: Live,
  child: Pick<HeldRun, 'id' | 'parentInstance' | 'parentToken'>,
  { tenantId, error }: { tenantId: string; error: string | null },
): Promise<void> {
  if (child.parentToken === null || child.parentInstance === null) return
  const token = await db
    .selectFrom('flow_token')
    .select('nodeId')
    .where('id', '=', child.parentToken)
    .where('state', '<', sql.lit(TokenState.over))
    .executeTakeFirst()
  if (!token) return
  const place = { instanceId: child.parentInstance, tokenId: child.parentToken, nodeId: token.nodeId }
  await server.queue.enter(db, {
    kind: 'flow.resume',
    key: keyOf(place.tokenId, place.nodeId),
    tenantId,
    payload: { ...place, childId: child.id, error },
  })
}

/** Enters what is to follow a move, and calls off what is not to be any more. */
export async function enterWork(
  server: FlowServer,
  db: Live,
  held: HeldRun,
  { run, kept, by }: { run: Run; kept: Kept; by: Mover },
): Promise<void> {
  const { changes, state } = run
  await callOff(server, db, run, by)
  const isThere = (id: string) => state.tokens.get(id)?.state === TokenState.waiting
  const { tenantId } = by
  const placeOf = (token: string, node: string) => ({ instanceId: held.id, tokenId: kept.idOf(token), nodeId: node })
  for (const { token, node, due, again } of changes.timers)
    if (isThere(token)) {
      const place = placeOf(token, node)
      const payload = { ...place, again }
      await server.queue.enter(db, {
        kind: 'flow.timer',
        key: keyOf(place.tokenId, node),
        runAt: due,
        tenantId,
        payload,
      })
    }
  for (const { token, node, action, fields, waits } of changes.calls) {
    if (waits && !isThere(token)) continue
    const given = { action, fields: { ...fields } }
    const place = placeOf(token, node)
    if (waits) {
      const payload = { ...place, ...given, waits }
      await server.queue.enter(db, { kind: 'flow.call', key: keyOf(place.tokenId, node), tenantId, payload })
    } else {
      const payload = { ...place, tokenId: null, ...given, waits }
      await server.queue.enter(db, { kind: 'flow.call', tenantId, payload })
    }
  }
  for (const { token, node, ...child } of changes.children)
    if (isThere(token)) {
      const place = placeOf(token, node)
      const payload = { ...place, child }
      await server.queue.enter(db, { kind: 'flow.call', key: keyOf(place.tokenId, node), tenantId, payload })
    }
  if (state.status !== FlowRun.running)
    await tellParent(server, db, held, { tenantId, error: state.status === FlowRun.finished ? null : whyOf(state) })
}

const whyOf = ({ errorCode, endReason }: { errorCode: string | null; endReason: string | null }): string =>
  errorCode ?? endReason ?? ''
