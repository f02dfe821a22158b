import type { FastifyRequest } from 'fastify'
import { AuditOutcome } from '#schemas/dictionaries'
import '../../database/auth-tables.ts'
import { countUp } from '../../database/throttle.ts'

/** Looks at personal data in full within a day, after which somebody is to be asked about it; so again after as many more. */
const many = 200

/**
 * Counts that somebody has looked at a number or a paper in full. Too many in a day are an event of their own, which
 * administrators and auditors find on their first page; nobody is stopped, because a review may need it.
 */
export async function watchReveals(request: FastifyRequest): Promise<void> {
  const { server: app, person } = request
  if (!person) return
  const looks = await countUp(app.db, `reveal:${person.userId}`, 86_400, app.now())
  if (looks % many !== 1 || looks < many) return
  const detail = { looks: looks - 1, account: person.account }
  app.journal.note('warn', 'reveal alarm', { ...detail, userId: person.userId, ip: request.ip })
  await app.audit.note(request, {
    event: 'alarm',
    outcome: AuditOutcome.success,
    targetType: 'user',
    targetId: person.userId,
    detail,
  })
}
