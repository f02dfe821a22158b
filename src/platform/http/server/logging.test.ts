import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { columnText, paramsOf } from './log-params.ts'
import { loggerOptions } from './logging.ts'
import { maskText, maskWithAll } from './mask.ts'

const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_def-123'

test.each([
  ['an ID number', '证件 350102199001011234 已登记', '350102199001011234'],
  ['an ID number ending in X', '35010219900101123x', '35010219900101123x'],
  ['a phone number', 'sent to 13812345678', '13812345678'],
  ['a token', `Blade-Auth: bearer ${token}`, token],
  ['a password in an address', '/oauth/token?username=admin&password=04ab12cd&grant_type=password', '04ab12cd'],
  ['an account in an address', '/oauth/token?username=zhangsan', 'zhangsan'],
  ['a refresh token in an address', '/oauth/token?refresh_token=abc.def', 'abc.def'],
  ['a password in a sentence', 'could not connect with password=hunter22 to db', 'hunter22'],
  ['one with another name', 'login failed, newPassword: hunter22; user 7', 'hunter22'],
  ['a Chinese one', '数据库密码：hunter22，请检查', 'hunter22'],
  ['one in a connection string', 'host=db user=x pwd=hunter22', 'hunter22'],
  ['one in JSON within a text', String.raw`got {\"password\":\"hunter22\"}`, 'hunter22'],
  ['an SMS code in an address', '/oauth/token?id=9&value=482910', '482910'],
  ['client credentials', 'Basic c2FiZXI6c2FiZXJfc2VjcmV0', 'c2FiZXI6c2FiZXJfc2VjcmV0'],
])('takes out %s', (_name, text, secret) => {
  expect(maskText(text)).not.toContain(secret)
})

test.each(['1123598821738675201', '2123784234295361537', 'ticket 20260301004512', '/api/x?current=1&size=10'])(
  'leaves %s',
  text => {
    expect(maskText(text)).toBe(text)
  },
)

test('what is looked for beforehand keeps no secret in a text', () => {
  const parts =
    `password passwd PWD passphrase 密码 口令 1 2 : ： = ＝ " ' \\ ? & username token code Blade-Auth eyJab.cd.ef EYJ . bearer
    Basic crypto %20 c2FiZXI6c2FiZXI= ${'a'.repeat(42)} ${'f0'.repeat(97)} 350102199001011234 35010219900101123x 350102900101123
    13812345678 138123456789 19 \n ſ K - _ X x 0`.split(' ')
  let seed = 7
  const random = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % most
  }
  let masked = 0
  for (let round = 0; round < 4000; round++) {
    const text = Array.from({ length: 1 + random(9) }, () => parts[random(parts.length)] + (random(3) ? '' : ' ')).join(
      '',
    )
    expect(maskText(text)).toBe(maskWithAll(text))
    if (maskText(text) !== text) masked += 1
  }
  expect(masked).toBeGreaterThan(400)
})

test('a line stays JSON, whatever is masked in it', () => {
  const lines: string[] = []
  const app = Fastify({ logger: loggerOptions({ logLevel: 'info', logTo: line => lines.push(line) }) })
  app.log.info(
    { pwd: 12, mustChangePwd: 0, list: ['password=a', 'x'], note: { password2: 'p,q' }, more: 1 },
    'password: a',
  )
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ list: [expect.not.stringContaining('=a'), 'x'], more: 1 })
})

test('how long tokens last is no secret', () => {
  const request = {
    person: { isStaff: true },
    query: {},
    body: { accessTokenValidity: 3600, accessToken: 'x', token: 'y' },
  }
  expect(paramsOf(request as never)).toEqual({ accessTokenValidity: 3600, accessToken: '***', token: '***' })
})

test('B30 · no line of the log holds what people keep secret, wherever it was logged', async () => {
  const lines: string[] = []
  const app = Fastify({ logger: loggerOptions({ logLevel: 'info', logTo: line => lines.push(line) }) })
  app.post('/login', async request => {
    request.log.info({ headers: { authorization: 'Basic secretsecret', 'blade-auth': `bearer ${token}` } }, 'headers')
    request.log.info(
      { password: 'hunter22', user: { password: 'hunter22' }, body: { user: { idCard: 'E123' } } },
      'body',
    )
    request.log.info(`${request.url} of 350102199001011234`)
    return {}
  })
  await app.inject({
    method: 'POST',
    url: '/login?password=hunter22',
    headers: { authorization: 'Basic secretsecret' },
  })
  const text = lines.join('')
  expect(lines.length).toBeGreaterThan(3)
  for (const secret of ['hunter22', 'secretsecret', token, 'E123', '350102199001011234'])
    expect(text).not.toContain(secret)
})

test('B30 · what somebody sends cannot change how the log looks, nor begin a line of its own', async () => {
  const lines: string[] = []
  const app = Fastify({ logger: loggerOptions({ logLevel: 'info', logTo: line => lines.push(line) }) })
  app.log.info({ sent: 'a\u001b[2Jb\r\n{"level":60,"msg":"forged"}\u0007\u009b31m\u202ec\u2028d\u007f' }, 'x\ny')
  expect(lines).toHaveLength(1)
  expect(lines[0]?.trimEnd()).not.toMatch(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'x\ny', sent: expect.stringContaining('forged') })
  expect(columnText('a\u001b[2Jb\u202ec\0\n', 100)).toBe('a\\u001b[2Jb\\u202ec\n')
})
