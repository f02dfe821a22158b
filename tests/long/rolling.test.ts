import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../helper/app.ts'
import { type Copy, copyProgram } from '../helper/copy.ts'
import { makeUser, stayLoggedIn } from '../helper/login.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { buildServer, type Launched, launchServer, type ServerProcess, startServer } from '../helper/process.ts'
import { soon } from '../helper/soon.ts'
import { structureOf } from '../helper/structure.ts'

// Two servers are replaced by those of a newer version one by one, while people write and read without a pause. The newer version
// has a field more, two indexes more, one of them unique, a table more, and a numbered file. Meanwhile somebody is told of events, by old and new ones.

const root = path.resolve(import.meta.dirname, '../..')

let t: TestApp
let copy: Copy
let staff: Caller
let candidate: string
const running: Launched[] = []

/** A newer version of the program, built. */
async function newerVersion(): Promise<Copy> {
  const made = await copyProgram(
    {
      'src/platform/database/migrations/999-rolling.sql': `CREATE TABLE rolling (n int);\nINSERT INTO rolling VALUES (1);\n`,
    },
    {},
  )
  const change = async (file: string, from: string, to: string) => {
    const place = path.join(made.folder, file)
    const text = await readFile(place, 'utf8')
    expect(text).toContain(from)
    await writeFile(place, text.replace(from, to))
  }
  await change(
    'schemas/system/param.ts',
    `remark: optional(text('备注')),`,
    `remark: optional(text('备注', { maxLength: 300 })),\n    unit: optional(text('单位')),`,
  )
  await change(
    'schemas/system/param.ts',
    '{ history: true }',
    `{ history: true, indexes: [['paramName', 'paramKey']], uniques: [{ fields: ['paramName', 'paramKey'] }] }`,
  )
  const vite = path.join(root, 'node_modules/vite/bin/vite.js')
  execFileSync(process.execPath, [vite, 'build', '--mode', 'server', '--logLevel', 'warn'], { cwd: made.folder })
  return made
}

beforeAll(async () => {
  buildServer()
  copy = await newerVersion()
  t = await testApp()
  staff = await signIn(t, { role: 'administrator' })
  candidate = await makeUser(t, { role: 'candidate' })
  await stayLoggedIn(t)
  await t.pool.query(`UPDATE "user" SET password = NULL`)
})
afterAll(async () => {
  for (const one of running) await one.stop()
  await t?.close()
  await copy?.remove()
})

const env = () => ({ DATABASE_URL: t.url, CAPTCHA_MODE: 'false' })
async function start(program?: string): Promise<ServerProcess> {
  const one = await startServer(env(), root, program)
  running.push(one)
  return one
}

test('one server after the other is replaced under load: no call fails and nothing of the newer version is lost', async () => {
  const live = [await start(), await start()]
  const saved: string[] = []
  const faults: string[] = []
  let isOn = true
  const ask = async (on: ServerProcess, where: string, body?: object) => {
    const headers = { ...staff.headers, 'content-type': 'application/json' }
    const options = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    const answer = await fetch(`${on.url}/api/blade-system/param/${where}`, options)
    const text = await answer.text()
    if (answer.status !== 200) faults.push(`${answer.status} ${where} ${text.slice(0, 300)}`)
    return answer.status
  }
  /** Calls of each server that are under way: a proxy gives no more to one that is to end, and waits for these. */
  const open = new Map<ServerProcess, number>()
  const with_ = async (work: (on: ServerProcess) => Promise<void>, n: number) => {
    const on = live[n % live.length]!
    open.set(on, (open.get(on) ?? 0) + 1)
    await work(on).finally(() => open.set(on, open.get(on)! - 1))
  }
  const people = Array.from({ length: 4 }, async (_, who) => {
    for (let n = 0; isOn; n++)
      await with_(async on => {
        const key = `rolling.${who}.${n}`
        if ((await ask(on, 'submit', { paramName: key, paramKey: key, paramValue: '1' })) === 200) saved.push(key)
        await ask(on, `page?paramKey=${key}`)
      }, n)
  })
  const events: string[] = []
  const happening = (async () => {
    while (isOn) {
      const { rows } = await t.pool.query<{ id: string }>(
        `INSERT INTO event (code, "subjectId", facts) SELECT 'user.passed', $1, '{}' FROM generate_series(1, 5) RETURNING id`,
        [candidate],
      )
      events.push(...rows.map(({ id }) => id))
      await sleep(100)
    }
  })()
  const goesOn = async () => {
    const before = saved.length
    await soon(() => expect(saved.length).toBeGreaterThan(before + 40))
  }
  const replace = async (place: number) => {
    const old = live[place]!
    live[place] = await start(path.join(copy.folder, 'dist/server/server.js'))
    await soon(() => expect(open.get(old)).toBe(0))
    expect(await old.stop()).toBe(0)
  }
  await goesOn()
  await replace(0)
  await goesOn()
  const newer = await structureOf(t.url)
  // One of the old version that begins anew by then changes nothing.
  const late = launchServer(env())
  expect([await late.ended, late.output()]).toEqual([1, expect.stringContaining('older than the database')])
  expect(await structureOf(t.url)).toEqual(newer)
  await goesOn()
  await replace(1)
  await goesOn()
  isOn = false
  await Promise.all([...people, happening])
  await soon(async () => {
    const { rows } = await t.pool.query('SELECT id FROM event WHERE "toldTime" IS NULL')
    expect(rows).toEqual([])
  })
  const told = await t.db.selectFrom('message').select('eventId').where('userId', '=', candidate).execute()
  expect(told.map(one => one.eventId).toSorted()).toEqual(events.toSorted())
  expect(events.length).toBeGreaterThan(100)
  expect(faults).toEqual([])
  const { rows } = await t.pool.query<{ key: string }>(
    `SELECT "paramKey" AS key FROM param WHERE "paramKey" LIKE 'rolling.%'`,
  )
  expect(rows.map(({ key }) => key).toSorted()).toEqual(saved.toSorted())
  const structure = await structureOf(t.url)
  expect(structure).toEqual(newer)
  const made = structure.filter(line => /param_.*paramName_paramKey|param\.unit |rolling/.test(line))
  expect(made.map(line => line.split(' ').slice(0, 3).join(' '))).toEqual([
    'column param.unit character',
    'column rolling.n integer',
    'index "i_param_paramName_paramKey" true',
    'index "u_param_tenantId_paramName_paramKey" true',
    'table rolling r',
  ])
})
