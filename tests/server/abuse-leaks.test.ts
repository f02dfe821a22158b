import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { testApp } from '../helper/app.ts'
import { expectNoLeaks } from '../helper/leaks.ts'
import { bearer, encrypt, login } from '../helper/login.ts'
import { sampleIdCard, samplePhone } from '../helper/sample.ts'

// Every server under test is looked through when it is closed: what its output, its journals and its security log hold of people's
// numbers, passwords and tokens. Here that look is itself put to the test.

test.each([
  ['ID number', `"证件 ${sampleIdCard(1)} 已登记"`],
  ['phone number', `to:${samplePhone(1)},`],
  ['password', 'password=Juxian@2026'],
  ['token', 'bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.'],
  ['cipher text', randomBytes(110).toString('hex')],
])('B30 · a line of the output with a %s is found', async (kind, line) => {
  await expect(expectNoLeaks(['{"level":30}', line], undefined)).rejects.toThrow(`output: ${kind}`)
})

test('B30 · ids, times, digests and masked numbers are none', async () => {
  const masked = ['350102********1234', '138****1234', '1123598821738675201', '20261202100000123', 'a'.repeat(64)]
  await expectNoLeaks([...masked, '{"time":1764640800000}', '350102199001011111'], undefined)
})

test('B30 · so is what stands in a journal or in the security log, by table and column', async () => {
  const t = await testApp()
  const { body } = await login(t, 'admin')
  const add = (table: string, column: string, text: string) =>
    t.pool.query(`INSERT INTO ${table} ("${column}", "createTime") VALUES ($1, $2)`, [text, t.app.now()])
  await add('log_usual', 'logData', `{"to": "${samplePhone(2)}"}`)
  await add('log_error', 'stackTrace', `Error: ${sampleIdCard(2)}\n at x`)
  await add('log_api', 'params', `{"cipher": "${encrypt(t, 'x'.repeat(90))}"}`)
  await add('log_api', 'requestUri', `/api/x?t=${body.access_token}`)
  await t.app.audit.note({ person: null, headers: {}, ip: '::1' } as never, {
    event: 'login',
    outcome: 1,
    detail: { said: 'Juxian@2026' },
  })
  const error = (await t.close().catch((reason: Error) => reason)) as Error
  for (const place of [
    'log_usual.logData: phone number',
    'log_error.stackTrace: ID number',
    'log_api.params: cipher text',
  ])
    expect(error.message).toContain(place)
  for (const place of ['log_api.requestUri: token', 'auditlog.detail: password']) expect(error.message).toContain(place)
  expect(error.message).not.toContain(samplePhone(2))
})

test('B30 · a server that was asked with all of them in every place keeps none of them', async () => {
  const t = await testApp()
  const { body, headers } = await login(t, 'admin')
  const [idCard, phone, token] = [sampleIdCard(3), samplePhone(3), body.access_token!]
  const secrets = {
    idCard,
    phone,
    password: 'Juxian@2026',
    said: `${idCard} ${phone}`,
    deep: [{ mobile: phone, x: idCard }],
  }
  const query = {
    name: idCard,
    phone,
    refresh_token: token,
    keyword: `${phone}的`,
    password: encrypt(t, 'Juxian@2026'),
  }
  const more = {
    ...headers,
    'user-agent': `probe ${idCard} ${phone}`,
    'x-forwarded-for': phone,
    referer: `https://a/?t=${idCard}`,
  }
  for (const url of [
    '/api/blade-system/param/submit',
    '/api/blade-system/user/submit',
    '/api/blade-auth/oauth/token',
    `/api/${idCard}/${phone}`,
  ])
    await t.app.inject({ method: 'POST', url, query, headers: more, payload: secrets })
  await t.app.inject({ url: '/api/blade-system/user/page', query, headers: more })
  await t.app.inject({ url: '/api/blade-system/user/page', query, headers: bearer(`${token}x`) })
  const lines = [
    { url: `/x?phone=${phone}`, type: 'error', message: idCard, stack: `at ${phone}`, time: 'now', info: token },
  ]
  await t.app.inject({ method: 'POST', url: '/api/blade-auth/oauth/logout', headers: more, payload: lines })
  await t.close()
})
