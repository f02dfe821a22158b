import type { Reader } from '../../database/database.ts'
import { refuse } from '../../http/server/refusal.ts'
import { hashPassword, passwordProblem, verifyPassword } from '../../vault/password.ts'

/** Passwords, the present one included, that a new one must differ from. */
const remembered = 5

/** Whose password it is. */
export interface Holder {
  id: string
  account: string
  userType: number
  /** Hash of the present one. */
  password: string | null
}

/** @throws accounts.passwordTooWeak when a password is too weak or one of the person's last five */
export async function requireGoodPassword(db: Reader, holder: Holder, password: string): Promise<void> {
  const problem = passwordProblem(password, holder.userType, [holder.account])
  if (problem) throw refuse('accounts.passwordTooWeak', { 要求: problem })
  const earlier = await db
    .selectFrom('user_password')
    .select('hash')
    .where('userId', '=', holder.id)
    .orderBy('createTime', 'desc')
    .orderBy('id', 'desc')
    .limit(remembered - 1)
    .execute()
  for (const hash of [holder.password, ...earlier.map(row => row.hash)]) {
    if (hash && (await verifyPassword(hash, password)))
      throw refuse('accounts.passwordTooWeak', { 要求: `不能与最近${remembered}次使用过的密码相同` })
  }
}

/**
 * Gives a person a new password and remembers the old one.
 * @param mustChange somebody else knows it, so it serves for one login only
 */
export async function setPassword(
  trx: Reader,
  holder: Pick<Holder, 'id' | 'password'>,
  password: string,
  { now, mustChange }: { now: Date; mustChange: boolean },
): Promise<void> {
  const hash = await hashPassword(password)
  await rememberPassword(trx, holder, now)
  const lock = { failCount: 0, lockUntil: null }
  await trx
    .updateTable('user')
    .set({ password: hash, mustChangePwd: mustChange ? 1 : 0, pwdUpdateTime: now, ...lock })
    .where('id', '=', holder.id)
    .execute()
}

/** Puts the present password among those that may not come back. */
export async function rememberPassword(
  trx: Reader,
  { id, password }: Pick<Holder, 'id' | 'password'>,
  now: Date,
): Promise<void> {
  if (password) await trx.insertInto('user_password').values({ userId: id, hash: password, createTime: now }).execute()
}
