import type { FastifyInstance } from 'fastify'
import { commaList } from '#engine'
import { UserType } from '#schemas/dictionaries'
import { scoped } from '../../../crud/scope.ts'
import { requireGivable, requireManageable } from '../../access/server/rights.ts'
import { endSessions } from '../../auth/server/session.ts'
import { raw } from '../../database/live.ts'
import type { Person } from '../../http/server/access.ts'
import { liveAs } from '../../http/server/live.ts'
import { refuse } from '../../http/server/refusal.ts'
import { wrong } from './applicant.ts'

/** What the server itself has noted about a person; nobody writes over the proof of consent. */
const kept = ['consentVersion', 'consentTime', 'consentIp']

type Extension = Record<string, unknown>

const extensionOf = (value: unknown): Extension =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Extension) : {}

/** Which platform a person belongs to, with what is noted about the person there. @throws row.notFound */
export async function readPlatform(app: FastifyInstance, person: Person, id: string) {
  const row = await scoped(app, person, 'user')
    .select(['id', 'account', 'name', 'realName', 'userType', 'userExt'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  return { ...row, userExt: extensionOf(row.userExt) }
}

/** A change of {@link readPlatform}. */
export interface PlatformChange {
  userId: string
  userType: number
  /** An object, or its JSON text; undefined leaves what is there. */
  userExt: unknown
}

function readExtension(given: unknown): Extension {
  try {
    const value: unknown = typeof given === 'string' ? JSON.parse(given || '{}') : given
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Extension
  } catch {
    // Falls through to the refusal.
  }
  throw wrong('userExt', '拓展信息应为 JSON 对象')
}

/**
 * Puts a person on another platform and notes what belongs to it. Another kind of person logs in again.
 * @throws row.notFound, 403 for somebody above the caller, input.invalid for console roles of a candidate or wrong data
 */
export async function writePlatform(app: FastifyInstance, person: Person, change: PlatformChange): Promise<void> {
  const { userId, userType } = change
  if (userType !== UserType.staff && userType !== UserType.candidate && userType !== UserType.other)
    throw wrong('userType', '用户平台取值不正确')
  await liveAs(app, person)
    .transaction()
    .execute(async db => {
      const trx = raw(db)
      const row = await scoped(app, person, 'user', trx)
        .selectAll()
        .where('id', '=', userId)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!row) throw refuse('row.notFound')
      await requireManageable(db, person, [row])
      const isMoved = row.userType !== userType
      if (isMoved && row.id === person.userId) throw refuse('row.builtIn')
      if (isMoved) await requireGivable(db, person, commaList(row.roleId), [userType])
      const old = extensionOf(row.userExt)
      const proof = Object.fromEntries(kept.flatMap(name => (name in old ? [[name, old[name]]] : [])))
      const userExt = change.userExt === undefined ? old : { ...readExtension(change.userExt), ...proof }
      await db
        .updateTable('user')
        .set({ userType, userExt: JSON.stringify(userExt) })
        .where('id', '=', userId)
        .execute()
      if (isMoved) await endSessions(trx, [userId], 'role', app.now())
    })
}
