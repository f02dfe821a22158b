import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { askToken, encrypt, makeUser, solved, webClient } from '../../../../tests/helper/login.ts'
import { statementsOf } from '../../../../tests/helper/statements.ts'

let t: TestApp
let twin: TestApp
const config = { signInQueue: { seconds: 0, least: 2 } }
beforeAll(async () => {
  t = await testApp({ config })
  twin = await testApp({ url: t.url, config })
  for (const account of names) await makeUser(t, { role: 'candidate', account })
  await makeUser(t, { role: 'reviewer', account: 'crowd.staff' })
})
afterAll(async () => {
  await twin?.close()
  await t?.close()
})

const names = Array.from({ length: 6 }, (_, n) => `crowd.${n}`)

/** Makes an attempt ready, with its password encrypted, so that many begin at the same moment. */
async function attempt(account: string, at: TestApp, given = '') {
  const headers = { authorization: webClient, ...(await solved(t)) }
  const query = { grant_type: 'captcha', username: account, password: encrypt(t, 'Juxian@2026') }
  return async (queueTicket = given) => {
    const asked = { ...query, queueTicket }
    const answer = await at.app.inject({ method: 'POST', url: '/api/blade-auth/oauth/token', headers, query: asked })
    return { account, status: answer.statusCode, body: answer.json(), retryAfter: answer.headers['retry-after'] }
  }
}

/** Everybody signs in at the same moment. */
async function crowd(accounts: readonly string[]) {
  const ready = await Promise.all(accounts.map(account => attempt(account, t)))
  return Promise.all(ready.map(begin => begin()))
}

test('a crowd is told where it stands, staff get in at once, and the others with their tickets at either process', async () => {
  const answers = await crowd([...names, 'crowd.staff'])
  expect(answers.at(-1)).toMatchObject({ account: 'crowd.staff', status: 200 })
  let waiting = answers.filter(one => one.status !== 200)
  expect(answers.length - waiting.length).toBeGreaterThanOrEqual(3)
  expect(waiting.length).toBeGreaterThan(0)
  for (const { status, body, retryAfter } of waiting) {
    expect([status, body.error_code]).toEqual([503, 20034])
    expect(body.error_description).toBe(`登录的人较多，前面约${body.data.ahead}人，约${body.data.seconds}秒`)
    expect([body.data.retryAfter, retryAfter]).toEqual([expect.any(Number), String(body.data.retryAfter)])
  }
  for (let round = 0; waiting.length > 0 && round < 15; round++) {
    await new Promise(resolve => setTimeout(resolve, 1100))
    const again = []
    // A balancer sends everybody now here, now there.
    for (const [n, { account, body }] of waiting.entries())
      again.push(await (await attempt(account, (n + round) % 2 ? t : twin, body.data.queueTicket))())
    waiting = again.filter(one => one.status !== 200)
  }
  expect(waiting).toEqual([])
})

test('who waits has used nothing up, and is no event of the logs', async () => {
  const ready = await Promise.all(names.map(account => attempt(account, t)))
  const answers = await Promise.all(ready.map(begin => begin()))
  const at = answers.findIndex(one => one.status === 503)
  expect(at).toBeGreaterThanOrEqual(0)
  // The same captcha and the same encrypted password serve the next time.
  let ticket: string = answers[at]!.body.data.queueTicket
  const again = async () => {
    const { status, body } = await ready[at]!(ticket)
    ticket = body.data?.queueTicket
    return status
  }
  await expect.poll(again, { interval: 1000 }).toBe(200)
  await t.app.journal.flush()
  const fails = await t.db.selectFrom('auditlog').select('id').where('event', '=', 'loginFail').execute()
  const lines = await t.db.selectFrom('log_api').select('id').where('httpStatus', '=', 503).execute()
  expect([fails, lines]).toEqual([[], []])
})

test('a sign-in with a picture is eight statements where no other process appends to the security log', async () => {
  const account = 'few.statements'
  await makeUser(t, { role: 'candidate', account })
  // The second is the first that follows one of its own in the log.
  for (let n = 0; n < 2; n++) expect((await askToken(twin, account)).status).toBe(200)
  const headers = { authorization: webClient, ...(await solved(t)) }
  const query = { grant_type: 'captcha', username: account, password: encrypt(twin, 'Juxian@2026') }
  let status = 0
  const texts = await statementsOf(twin, async () => {
    const answer = await twin.app.inject({ method: 'POST', url: '/api/blade-auth/oauth/token', headers, query })
    status = answer.statusCode
  })
  // The log of calls is written with the lines of others.
  const own = texts.filter(text => !text.includes('log_api'))
  expect([status, own.length], own.join('\n')).toEqual([200, 8])
})
