import type { FastifyInstance } from 'fastify'
import { type Selectable, sql } from 'kysely'
import { type LiveDatabase, type LiveTrx, withRemoved } from '../../../../platform/database/live.ts'
import type { Person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import type { SentMark, Synced } from '../../check-in/contract.ts'
import { attendanceOf } from '../../rules/attendance.ts'
import { judge } from './judge.ts'
import { doorTimes, inMyRooms, latestEntry } from './scope.ts'

type StoredMark = Selectable<LiveDatabase['check_in']>

/** What became of the notes of a device: those that were taken as they stand, the others with whose arrival counts. */
type Judged = Pick<Synced, 'accepted' | 'conflicts'>

/** The tickets of some notes, as far as they are in the caller's rooms, locked in one order. */
async function lockTickets(app: FastifyInstance, trx: LiveTrx, who: Person, ids: readonly string[]) {
  const rows = await trx
    .selectFrom('examinationticket as ticket')
    .innerJoin('examroom as room', 'room.id', 'ticket.roomId')
    .innerJoin('examinationitem as item', 'item.id', 'ticket.itemId')
    .select(['ticket.id', 'ticket.ticketStatus', 'ticket.qrPayload', 'item.endTime', 'item.startTime'])
    .select(['ticket.attend', 'ticket.checkInTime', 'ticket.checkInBy', 'ticket.latestTime'])
    .where('ticket.id', 'in', [...new Set(ids)])
    .where(inMyRooms(app, who))
    .orderBy('ticket.id')
    .forNoKeyUpdate('ticket')
    .execute()
  const timed = rows.map(row => ({
    ...row,
    latestTime: latestEntry(row.latestTime, row.startTime),
    ...doorTimes(row),
  }))
  return new Map(timed.map(row => [row.id, row]))
}

type Tickets = Awaited<ReturnType<typeof lockTickets>>

const markOf = ({ id, kind, time, undoes, userId }: StoredMark) => ({ id, kind, at: time.getTime(), undoes, userId })

/** What of a ticket's kept notes counts; all of them are real or all of a rehearsal. */
const counting = (kept: readonly StoredMark[], ticketId: string) =>
  kept.filter(row => row.ticketId === ticketId && row.counts).map(markOf)

/** The notes that are new, each with what becomes of it; `kept` grows by them, so that the next one meets the one before. */
function judgeAll(
  app: FastifyInstance,
  who: Person,
  sent: readonly SentMark[],
  tickets: Tickets,
  kept: StoredMark[],
  rehearsal: boolean,
): StoredMark[] {
  const seen = new Set(kept.map(row => row.id))
  const [now, { publicKey }] = [app.now(), app.secrets.pair('ticket')]
  const fresh: StoredMark[] = []
  for (const mark of sent) {
    const ticket = tickets.get(mark.ticketId)
    if (!ticket || seen.has(mark.id)) continue
    seen.add(mark.id)
    const row = {
      id: mark.id,
      ticketId: mark.ticketId,
      kind: mark.kind,
      undoes: mark.undoes || null,
      reason: mark.reason || null,
      deviceTime: new Date(mark.at),
      receiveTime: now,
      userId: who.userId,
      ...judge(mark, ticket, counting(kept, mark.ticketId), { publicKey, now, rehearsal }),
      rehearsal,
    }
    fresh.push(row)
    kept.push(row)
  }
  return fresh
}

/** Writes at the tickets what their notes come to; those that say so already are left alone. */
async function writeTickets(
  trx: LiveTrx,
  tickets: Tickets,
  kept: readonly StoredMark[],
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  const rows = [...tickets.values()].flatMap(({ id, ...old }) => {
    const { attend, arrival } = attendanceOf(counting(kept, id))
    const [time, by] = [arrival ? new Date(arrival.at) : null, arrival?.userId ?? null]
    const isSame =
      old.attend === attend && old.checkInTime?.getTime() === time?.getTime() && (old.checkInBy ?? null) === by
    return isSame ? [] : [sql`(${id}::bigint, ${attend}::int, ${time}::timestamptz, ${by}::bigint)`]
  })
  if (rows.length === 0) return
  await sql`UPDATE examinationticket t SET attend = v.attend, "checkInTime" = v.time, "checkInBy" = v.by,
      version = t.version + 1, "updateUser" = ${userId}, "updateTime" = ${now}
    FROM (VALUES ${sql.join(rows)}) v (id, attend, time, by) WHERE t.id = v.id`.execute(trx)
}

/** What to answer about each note: a repeated one gets the same answer as the first time. */
function answerOf(
  who: Person,
  sent: readonly SentMark[],
  kept: readonly StoredMark[],
  names: ReadonlyMap<string, string>,
) {
  const answer: Judged = { accepted: [], conflicts: [] }
  const known = new Map(kept.map(row => [row.id, row]))
  for (const id of new Set(sent.map(mark => mark.id))) {
    const row = known.get(id)
    const ticketId = sent.find(mark => mark.id === id)?.ticketId ?? ''
    const isOwn = row?.userId === who.userId && row.ticketId === ticketId
    if (isOwn && row.conflict === null) answer.accepted.push(id)
    else {
      const { arrival } = attendanceOf(isOwn ? counting(kept, ticketId) : [])
      const told = { by: names.get(arrival?.userId ?? '') ?? '', at: arrival?.at ?? 0 }
      answer.conflicts.push({ id, ticketId, reason: (isOwn && row.conflict) || 'unknown', ...told })
    }
  }
  return answer
}

/** Names of the people who made some notes. */
async function namesOf(trx: LiveTrx, kept: readonly StoredMark[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(kept.map(row => row.userId))]
  if (ids.length === 0) return new Map()
  const rows = await trx.selectFrom(withRemoved('user')).select(['id', 'realName']).where('id', 'in', ids).execute()
  return new Map(rows.map(row => [row.id, row.realName ?? '']))
}

/**
 * Takes the notes of a device, in one transaction: the tickets are locked, every note is kept, and each ticket says
 * afterwards what all notes about it come to. Sending notes again, in any order and from several devices, changes nothing.
 * Notes of a rehearsal are kept apart, and no ticket says anything of them.
 */
export async function syncMarks(
  app: FastifyInstance,
  who: Person,
  sent: readonly SentMark[],
  rehearsal: boolean,
): Promise<Judged> {
  if (sent.length === 0) return { accepted: [], conflicts: [] }
  return liveAs(app, who)
    .transaction()
    .execute(async trx => {
      const tickets = await lockTickets(
        app,
        trx,
        who,
        sent.map(mark => mark.ticketId),
      )
      // `0` is no ticket: a list must not be empty.
      const known: StoredMark[] = await trx
        .selectFrom('check_in')
        .selectAll()
        .where(eb =>
          eb.or([
            eb('ticketId', 'in', ['0', ...tickets.keys()]),
            eb(
              'id',
              'in',
              sent.map(mark => mark.id),
            ),
          ]),
        )
        .execute()
      // An id is used once: what a rehearsal has used is no answer to a real note.
      const kept = known.filter(row => row.rehearsal === rehearsal)
      const taken = new Set(known.filter(row => row.rehearsal !== rehearsal).map(row => row.id))
      const usable = sent.filter(mark => !taken.has(mark.id))
      const fresh = judgeAll(app, who, usable, tickets, kept, rehearsal)
      if (fresh.length) await trx.insertInto('check_in').values(fresh).execute()
      if (!rehearsal) await writeTickets(trx, tickets, kept, { userId: who.userId, now: app.now() })
      return answerOf(who, sent, kept, await namesOf(trx, kept))
    })
}
