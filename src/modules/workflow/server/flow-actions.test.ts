import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { lines } from '../../../../tests/helper/flow-bench.ts'
import { FlowBench } from '../../../../tests/helper/flow-runs.ts'
import { give, makeTemplate, sendOut } from '../../../../tests/helper/send-bench.ts'

// What models have done at their steps.

let t: TestApp
let b: FlowBench
let other: http.Server
let port: number
/** What the other system was asked, and how it answers next. */
let asked: { method: string; url: string; key: string; body: string }[] = []
let answers: { status: number; body?: string; headers?: Record<string, string> }[] = []

const now = '2026-06-01 08:00:00'

beforeAll(async () => {
  other = http.createServer((request, answer) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      asked.push({ method, url, key: String(headers['idempotency-key']), body: Buffer.concat(parts).toString() })
      const next = answers.shift() ?? { status: 200, body: '{"ok": true}' }
      answer.writeHead(next.status, next.headers).end(next.body)
    })
  })
  await new Promise<void>(done => other.listen(0, '127.0.0.1', done))
  port = (other.address() as AddressInfo).port
  t = await testApp({ now })
  b = await new FlowBench(t).open()
  await allow(`127.0.0.1:${port}`)
})
afterAll(async () => {
  await t?.close()
  other?.close()
})
beforeEach(() => {
  t.setNow(now)
  asked = []
  answers = []
})

const allow = (hosts: string) =>
  t.db.updateTable('param').set({ paramValue: hosts }).where('paramKey', '=', 'flow.hosts').execute()

const later = (seconds: number) => {
  const hours = 8 * 3_600_000
  const at = new Date(t.app.now().getTime() + seconds * 1000 + hours)
  t.setNow(at.toISOString().slice(0, 19).replace('T', ' '))
}
const work = () => t.app.queue.workOff()

const user = (id: string, who: string) => `<userTask id="${id}" flowable:assignee="${who}"/>`
const field = (name: string, value: string) =>
  `<flowable:field name="${name}"><flowable:string><![CDATA[${value}]]></flowable:string></flowable:field>`
const inside = (body: string) => `<startEvent id="s"/>${body}<endEvent id="z"/>`
const httpTask = (fields: Readonly<Record<string, string>>) =>
  `<serviceTask id="h" flowable:type="http"><extensionElements>${Object.entries(fields)
    .map(([name, value]) => field(name, value))
    .join('')}</extensionElements></serviceTask>`

/** A task, an HTTP task, and a task that sees its answer. */
const asking = (fields: Readonly<Record<string, string>>, more = '') =>
  inside(`${user('t', '@b')}${httpTask(fields)}${user('u', '@c')}${more}${lines('s>t', 't>h', 'h>u', 'u>z')}`)
const url = (path = '') => `http://127.0.0.1:${port}/${path}`

const variables = async (run: string) =>
  (await t.db.selectFrom('flow_instance').select('variables').where('id', '=', run).executeTakeFirstOrThrow()).variables
const incident = async (run: string) =>
  (await t.db.selectFrom('flow_instance').select('incident').where('id', '=', run).executeTakeFirstOrThrow()).incident

describe('an HTTP task', () => {
  test('that fails twice is asked three times with one key, and its answer is a variable', async () => {
    const model = await b.deploy(
      'asks',
      asking({
        requestMethod: 'POST',
        requestUrl: url('leave?by=${initiator}'),
        requestBody: '{"pass": ${pass}, "by": "${initiator}"}',
        responseVariableName: 'answer',
        saveResponseVariableAsJson: 'true',
      }),
    )
    const run = await b.begin(model)
    answers = [{ status: 500 }, { status: 503 }, { status: 200, body: '{"no": 7}' }]
    await b.agree(run, 't:b')
    expect(asked).toEqual([])
    await work()
    expect([asked.length, await b.openOf(run), await incident(run)]).toEqual([1, '', null])
    later(10)
    await work()
    expect(asked.length).toBe(1)
    later(11)
    await work()
    later(41)
    await work()
    expect(asked.length).toBe(3)
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1)
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: `/leave?by=${b.id('a')}`,
      key: expect.stringMatching(/^flow-\d+-h$/),
    })
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ pass: true, by: b.id('a') })
    expect(await b.openOf(run)).toBe('u:c')
    expect(await variables(run)).toMatchObject({ answer: { no: 7 } })
    await work()
    expect(asked.length).toBe(3)
  })

  test('that fails three times goes the way of its error, or waits for somebody to put it right', async () => {
    const caught = `<boundaryEvent id="e" attachedToRef="h"><errorEventDefinition/></boundaryEvent>${user('x', '@d')}${lines('e>x', 'x>z')}`
    const [soft, hard] = [
      await b.deploy('caught', asking({ requestUrl: url() }, caught)),
      await b.deploy('stuck', asking({ requestUrl: url() })),
    ]
    const [one, two] = [await b.begin(soft), await b.begin(hard)]
    await b.agree(one, 't:b')
    answers = Array.from({ length: 3 }, () => ({ status: 500 }))
    for (const wait of [0, 21, 41]) {
      later(wait)
      await work()
    }
    expect([asked.length, await b.openOf(one), await incident(one)]).toEqual([3, 'x:d', null])
    await b.agree(two, 't:b')
    answers = Array.from({ length: 3 }, () => ({ status: 500 }))
    for (const wait of [0, 21, 41]) {
      later(wait)
      await work()
    }
    expect([asked.length, await b.openOf(two)]).toEqual([6, ''])
    expect(await incident(two)).toContain('HTTP 500')
  })

  test('says by the number of an answer what is an error, what a failure and what neither', async () => {
    const caught = (code: string) =>
      `<boundaryEvent id="e" attachedToRef="h"><errorEventDefinition errorRef="${code}"/></boundaryEvent>${user('x', '@d')}${lines('e>x', 'x>z')}`
    const handled = await b.begin(
      await b.deploy('handled', asking({ requestUrl: url(), handleStatusCodes: '404' }, caught('HTTP404'))),
    )
    answers = [{ status: 404 }]
    await b.agree(handled, 't:b')
    await work()
    expect([asked.length, await b.openOf(handled)]).toEqual([1, 'x:d'])
    const mild = await b.begin(
      await b.deploy('mild', asking({ requestUrl: url(), failStatusCodes: '5XX', responseVariableName: 'text' })),
    )
    answers = [{ status: 404, body: 'gone' }]
    await b.agree(mild, 't:b')
    await work()
    expect([await b.openOf(mild), await variables(mild)]).toMatchObject(['u:c', { text: 'gone' }])
    const deaf = await b.begin(await b.deploy('deaf', asking({ requestUrl: url(), ignoreException: 'true' })))
    answers = [{ status: 500 }]
    await b.agree(deaf, 't:b')
    await work()
    expect([asked.length, await b.openOf(deaf)]).toEqual([3, 'u:c'])
  })

  test('asks nobody who is not listed, nobody inside by another name, and nobody an answer leads to', async () => {
    const computed = await b.deploy(
      'computed',
      asking({ requestUrl: '${initiator == null ? "" : base}', requestMethod: 'GET' }).replace(
        '<startEvent id="s"/>',
        '' +
          '<startEvent id="s"><extensionElements><flowable:formProperty id="base" type="string"/></extensionElements></startEvent>',
      ),
    )
    const ends = async (base: string) => {
      const run = await b.begin(computed, { form: { base } })
      await b.agree(run, 't:b')
      for (const wait of [0, 21, 41]) {
        later(wait)
        await work()
      }
      return incident(run)
    }
    expect(await ends('http://169.254.169.254/latest')).toContain('不允许访问169.254.169.254')
    expect(await ends(`http://127.0.0.1:${port + 1}/`)).toContain('不允许访问')
    await allow(`127.0.0.1:${port + 1}, localhost:${port}`)
    expect(await ends(`http://localhost:${port}/`)).toContain('无法访问')
    expect(asked).toEqual([])
    await allow(`127.0.0.1:${port}`)
    answers = Array.from({ length: 3 }, () => ({ status: 302, headers: { location: 'http://169.254.169.254/' } }))
    expect(await ends(url())).toContain('HTTP 302')
    expect(asked.length).toBe(3)
  })
})

describe('a notice', () => {
  const notice = (fields: Readonly<Record<string, string>>) =>
    `<serviceTask id="n" flowable:delegateExpression="\${notice}"><extensionElements>${Object.entries(fields)
      .map(([name, value]) => field(name, value))
      .join('')}</extensionElements></serviceTask>`
  const told = async (who: string) => {
    const { rows } = await t.pool.query(
      `SELECT s.title, m.content FROM sendmessage m JOIN send s ON s.id = m."sendId" WHERE m."userId" = $1 ORDER BY m.id`,
      [b.id(who)],
    )
    return rows as { title: string; content: string }[]
  }

  test('of a timer that does not interrupt is told once, and the task stays; a task done before calls it off', async () => {
    const model = await b.deploy(
      'reminds',
      inside(
        `${user('t', '@e')}<boundaryEvent id="r" attachedToRef="t" cancelActivity="false"><timerEventDefinition><timeDuration>PT60S</timeDuration></timerEventDefinition></boundaryEvent>${notice({ to: '@e', title: '催办', content: '请办理，申请人${initiator}' })}<endEvent id="y"/>${lines('s>t', 't>z', 'r>n', 'n>y')}`,
      ),
    )
    const [late, done] = [await b.begin(model), await b.begin(model)]
    await b.agree(done, 't:e')
    later(59)
    await work()
    expect(await told('e')).toEqual([])
    later(2)
    await work()
    await work()
    expect(await told('e')).toEqual([{ title: '催办', content: `请办理，申请人${b.id('a')}` }])
    expect(await b.openOf(late)).toBe('t:e')
    await b.agree(late, 't:e')
    await b.expectOver(late)
    await b.expectOver(done)
  })

  test('by a text message goes out once, with the words of the template, charged to the balance', async () => {
    await makeTemplate(t, { smsCode: 'flow', templateContent: '您的申请{result}，级别{level}。' })
    await give(t, 2)
    const model = await b.deploy(
      'texts',
      inside(
        `${user('t', '@b')}${notice({ to: '@f', template: 'flow', params: '{"result": "已通过", "level": "${1 + 1}"}' })}${lines('s>t', 't>n', 'n>z')}`,
      ),
    )
    const run = await b.begin(model)
    await b.agree(run, 't:b')
    await b.expectOver(run)
    await sendOut(t)
    const { rows } = await t.pool.query(
      `SELECT m.content, m."msgStatus" FROM sendmessage m JOIN "user" u ON u."phoneHash" = m."phoneHash" WHERE u.id = $1`,
      [b.id('f')],
    )
    expect(rows).toMatchObject([{ content: expect.stringContaining('您的申请已通过，级别2。') }])
    await give(t, -1)
    const poor = await b.begin(model)
    expect(await b.decide(poor, 't:b')).toMatchObject({ code: 29005, msg: expect.stringContaining('短信不能发送') })
    expect(await b.openOf(poor)).toBe('t:b')
  })

  test('to nobody, or with nothing to say, refuses the decision that leads to it', async () => {
    const model = (key: string, fields: Readonly<Record<string, string>>) =>
      b.deploy(key, inside(`${user('t', '@b')}${notice(fields)}${lines('s>t', 't>n', 'n>z')}`))
    for (const [key, fields, words] of [
      ['mute', { to: '@f' }, '通知缺少内容'],
      ['void', { to: 'nobody-of-this-name', content: 'x' }, '没有可通知的人'],
      ['text', { to: '@f', template: 'unheard' }, '短信不能发送'],
    ] as const) {
      const run = await b.begin(await model(key, fields))
      expect(await b.decide(run, 't:b')).toMatchObject({ code: 29005, msg: expect.stringContaining(words) })
      expect(await b.openOf(run)).toBe('t:b')
    }
    expect(await told('f')).toEqual([])
  })
})

test('a variable is set by a step, and its condition is asked', async () => {
  const sets = (key: string, value: string) => {
    const set = `<serviceTask id="v" flowable:expression="\${setVariable}"><extensionElements>${field('name', 'level')}${field('value', value)}</extensionElements></serviceTask>`
    const ways = lines('s>t', 't>v', 'v>g', 'g>u level == 2', 'g>z', 'u>z')
    const gate = '<exclusiveGateway id="g" default="g-z"/>'
    return b.deploy(key, inside(`${user('t', '@b')}${set}${gate}${user('u', '@c')}${ways}`))
  }
  const [high, low] = [await b.begin(await sets('high', '${1 + 1}')), await b.begin(await sets('low', 'low'))]
  await b.agree(high, 't:b')
  await b.agree(low, 't:b')
  expect([await b.openOf(high), await variables(high)]).toMatchObject(['u:c', { level: 2 }])
  await b.expectOver(low)
})
