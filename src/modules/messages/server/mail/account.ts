import { randomBytes } from 'node:crypto'
import { mask } from '#engine'
import { mail } from '#resources/resource/mail'
import { wrongInput } from '../../../../crud/input.ts'
import { type HandlerOf, type Hooks, on } from '../../../../crud/rules.ts'
import { scoped } from '../../../../crud/scope.ts'
import { isSame } from '../../../../engine/blank.ts'
import { MailError } from '../../../../platform/channels/mail/mail-error.ts'
import { countUp } from '../../../../platform/database/throttle.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { escapeHtml } from '../../../../platform/pdf/plain-text.ts'
import { disableOthers, sealedKeys } from '../../../../platform/settings/server/keys.ts'

/** Test mails to one person in an hour. */
const mostProbes = 10

/** Rules of accounts at mail servers: secrets are written and never read, and are shown to no other server than they were given for. */
export const mailHooks: Hooks<typeof mail.entity> = {
  async beforeSubmit({ app, set }, given, before) {
    const secrets = sealedKeys(app.vault, given, ['mailPassword', 'dkimKey'])
    const whole = { ...before, ...given, dkimKey: secrets.dkimKey ?? before?.dkimKey }
    const moves =
      before !== null &&
      (['host', 'port', 'mailSecurity'] as const).some(name => name in given && !isSame(given[name], before[name]))
    if (moves && before.mailPassword && !secrets.mailPassword)
      throw wrongInput([{ field: 'mailPassword', msg: '更换服务器须重新填写 SMTP 密码' }])
    const dkim = [whole.dkimDomain, whole.dkimSelector, whole.dkimKey].filter(one => one)
    if (dkim.length === 1 || dkim.length === 2)
      throw wrongInput([{ field: 'dkimDomain', msg: 'DKIM 的域名、选择符和私钥须一并填写' }])
    set(secrets)
    // What was changed has its chance.
    if (before?.pausedTime) set({ pausedTime: null, pauseReason: null })
  },
}

/** The account that is put into use is the only one. */
export const mailRules = [
  on(mail, 'enable', async ({ db, caller, rows }) => {
    for (const { id } of rows) await disableOthers(db, 'mail', caller, id)
  }),
]

/**
 * Sends one e-mail to the caller's own address by an account, in use or not.
 * @returns what the server said
 * @throws row.notFound, input.invalid without an address of one's own, input.tooOften
 */
export const probeMail: HandlerOf<typeof mail, 'probe'> = async ({ app, db, person, id: mailId, now }) => {
  const row = await scoped(app, person, 'mail').select('id').where('id', '=', mailId).executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  const user = await db.selectFrom('user').select('email').where('id', '=', person.userId).executeTakeFirst()
  const to = user?.email
  if (!to) throw refuse('input.invalid', { 说明: '您的账号没有电子邮箱' })
  if ((await countUp(app, `mail:probe:${person.userId}`, 3600, now)) > mostProbes) throw refuse('input.tooOften')
  const text = '这是一封测试邮件，收到即表示邮箱配置可用。'
  const id = `probe-${randomBytes(12).toString('hex')}`
  try {
    const { ref } = await app.mail.send({
      id,
      tenantId: person.tenantId,
      mailId,
      to,
      subject: '测试邮件',
      text,
      html: `<p>${escapeHtml(text)}</p>`,
    })
    return { msg: `邮件服务器已受理，发往 ${mask.email(to)}：${ref}` }
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    return { msg: `未能发送：${error.message}` }
  }
}
