import type { FastifyInstance } from 'fastify'
import { countUp } from '../../database/throttle.ts'
import type { Person } from '../../http/server/access.ts'
import { liveAs } from '../../http/server/live.ts'
import { refuse } from '../../http/server/refusal.ts'
import { verifyPassword } from '../../vault/password.ts'

const triesIn15Minutes = 10

/** A password as it arrives: cipher text or plain, with the key it was made for. */
export interface SentPassword {
  password?: string
  keyId?: string
}

/**
 * Asks a signed-in person for the own password once more, before personal data leave in bulk.
 * @throws auth.passwordRequired when it is missing, auth.passwordWrong when it is wrong, auth.passwordUnreadable for a
 * replayed cipher text, input.tooOften after too many tries
 */
export async function confirmPassword(app: FastifyInstance, person: Person, sent: SentPassword): Promise<void> {
  const now = app.now()
  if (!sent.password)
    throw refuse('auth.passwordRequired', {}, [{ field: 'password', msg: '请输入登录密码，确认是本人操作' }])
  if ((await countUp(app.db, `password:${person.userId}`, 900, now)) > triesIn15Minutes) throw refuse('input.tooOften')
  const [opened] = await app.cipher.open([sent.password], now, sent.keyId)
  const { password } = await liveAs(app, person)
    .selectFrom('user')
    .select('password')
    .where('id', '=', person.userId)
    .executeTakeFirstOrThrow()
  if (!(await verifyPassword(password, opened ?? sent.password)))
    throw refuse('auth.passwordWrong', {}, [{ field: 'password', msg: '登录密码不正确' }])
}
