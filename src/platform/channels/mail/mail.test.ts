import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type MailServer, mailLogin, mailServer } from '../../../../tests/helper/mail-server.ts'
import { MailError } from './mail-error.ts'
import { openSmtp, type SmtpAccount } from './smtp.ts'

let server: MailServer
beforeAll(async () => {
  server = await mailServer()
})
afterAll(() => server?.close())
beforeEach(() => {
  server.behaves = 'take'
  server.book.length = 0
})

const account = (more: Partial<SmtpAccount> = {}): SmtpAccount => ({
  host: '127.0.0.1',
  port: server.port,
  security: 'none',
  isListed: true,
  auth: mailLogin,
  from: { name: '鼓楼卫健', address: 'office@example.org' },
  ...more,
})
const letter = {
  id: '77',
  tenantId: '000000',
  to: 'wang@example.com',
  subject: '您的报名被退回',
  text: '请修改。',
  html: '<p>请修改。</p>',
}

/** What becomes of a mail. */
async function fateOf(of: SmtpAccount, mail = letter) {
  const smtp = openSmtp(of)
  try {
    return await smtp.send(mail).catch((error: MailError) => error)
  } finally {
    smtp.close()
  }
}

describe('a mail server', () => {
  test('is handed subject, text and HTML under our number', async () => {
    expect(await fateOf(account())).toEqual({ ref: expect.stringContaining('250') })
    const [{ id, raw, mail } = { id: '', raw: '', mail: null }] = server.book
    expect(id).toBe('<77@example.org>')
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/im)
    expect(mail).toMatchObject({
      subject: '您的报名被退回',
      text: '请修改。',
      from: { name: '鼓楼卫健', address: 'office@example.org' },
      to: [{ address: 'wang@example.com' }],
    })
    expect(mail?.html).toContain('<p>请修改。</p>')
  })

  test.each([
    ['refuse', 'final', true],
    ['later', 'later', false],
    ['cut', 'unknown', false],
  ] as const)('that would %s a mail leaves the fault %s', async (behaves, fault, isAddressBad) => {
    server.behaves = behaves
    expect(await fateOf(account())).toMatchObject({ fault, isAddressBad, isUntried: false })
    expect(server.book).toHaveLength(behaves === 'cut' ? 1 : 0)
  })

  test('that refuses the password, or is not there, has not been tried', async () => {
    const wrong = { user: 'office', pass: 'wrong' }
    expect(await fateOf(account({ auth: wrong }))).toMatchObject({ fault: 'settings', isUntried: true })
    expect(await fateOf(account({ port: 1 }))).toMatchObject({ fault: 'later', isUntried: true })
  })

  test('is inside the network or without encryption only where it is listed', async () => {
    expect(await fateOf(account({ isListed: false, security: 'startTls' }))).toMatchObject({ fault: 'settings' })
    const inside = { isListed: false, security: 'tls', host: 'localhost' } as const
    expect(await fateOf(account(inside))).toMatchObject({ fault: 'settings' })
    expect(() => openSmtp(account({ isListed: false }))).toThrow(MailError)
    // A server that does not speak TLS is told nothing.
    expect(await fateOf(account({ security: 'startTls' }))).toMatchObject({ fault: 'settings' })
    expect(server.book).toEqual([])
  })

  test('gets no header that somebody has written into a name or a subject', async () => {
    const evil = 'A\r\nBcc: all@example.com\r\n\r\nbody'
    await fateOf(account({ from: { name: evil, address: 'office@example.org' } }), { ...letter, subject: evil })
    const [{ raw, mail } = { raw: '', mail: null }] = server.book
    expect(raw).not.toMatch(/^bcc:/im)
    expect(mail?.bcc).toBeUndefined()
    expect(mail?.subject).toBe('A Bcc: all@example.com body')
    const to = 'wang@example.com\r\nRCPT TO:<all@example.com>'
    expect(await fateOf(account(), { ...letter, to })).toMatchObject({ fault: 'final' })
  })
})
