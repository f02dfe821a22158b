import { readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Resource, tableOf } from '#engine'
import { resources } from '#resources'
import { examroom } from '#resources/exams/examroom'
import { examuser } from '#resources/exams/examuser'
import { entities } from '#schemas'
import { FlowRun, FlowTaskState, WorkState } from '#schemas/dictionaries'
import type { parameters } from '#schemas/parameters'
import { TokenState } from '../../src/modules/workflow/rules/run/state.ts'
import { isRequired, policyOf } from '../../src/platform/auth/rules/second-factor.ts'
import { readParam } from '../../src/platform/database/param.ts'
import { dataFolder, type TestApp, type TestDatabase, testApp, testDatabase } from '../helper/app.ts'
import { makeOld, old, quote } from '../helper/old-installation.ts'
import { signIn } from '../helper/person.ts'
import { structureOf } from '../helper/structure.ts'

// An installation as it stood on 2026-11-21, with two tenants, a row of every entity in each, and rows in the forms that later
// migrations change, is opened by this program. `tests/server/old/*.json.gz` holds the statements that made its tables and what was in them.

let database: TestDatabase
let t: TestApp

/** What was typed as nationality, and what it is kept as now. */
const nationalities = [
  ['汉族', '01'],
  [' 汉 ', '01'],
  ['畲族', '22'],
  ['22', '22'],
  ['穿青人', '穿青人'],
  [null, null],
] as const

/** Exports in the background: one to be made, one that a process is at, one that failed, one cancelled, one that was made. */
async function makeExports(client: pg.Client): Promise<void> {
  const clone = (id: number, taskStatus: number) =>
    client.query(
      `INSERT INTO exporttask SELECT (jsonb_populate_record(x, $1)).* FROM exporttask x WHERE "tenantId" = '000000' LIMIT 1`,
      [
        JSON.stringify({
          id,
          taskStatus,
          inBackground: 1,
          endTime: taskStatus > 1 ? '2026-11-20T10:00:00+08:00' : null,
        }),
      ],
    )
  for (const [id, taskStatus, lease, tries] of [
    [422000, 0, null, 0],
    [422001, 1, '2026-11-21T10:00:00+08:00', 1],
    [422003, 3, null, 3],
    [422004, 4, null, 0],
  ] as const) {
    await clone(id, taskStatus)
    await client.query(
      `INSERT INTO export_job ("taskId", kind, wish, "userId", "roleIds", "deptIds", "leaseUntil", tries, key)
       VALUES ($1, 'list', 'v1:order', 5, '7,8', '', $2, $3, $4)`,
      [id, lease, tries, lease && 'some/place'],
    )
  }
  await clone(422002, 2)
}

/** Sendings: one that goes out, one that is planned, and others. */
async function makeSends(client: pg.Client): Promise<void> {
  for (const [id, sendStatus, planTime] of [
    [423000, 0, '2026-11-25T10:00:00+08:00'],
    [423002, 2, '2026-11-25T10:00:00+08:00'],
    [423003, 3, null],
    [423004, 4, null],
    [423005, 2, null],
  ] as const)
    await client.query(
      `INSERT INTO send SELECT (jsonb_populate_record(x, $1)).* FROM send x WHERE "tenantId" = '000000' LIMIT 1`,
      [JSON.stringify({ id, sendStatus, planTime, sendNo: `S${id}` })],
    )
}

/** Settings for text messages: a provider that is in use, with a template whose own row does not say so, and one that is not. */
async function makeTextSettings(client: pg.Client): Promise<void> {
  for (const [id, category, smsStatus] of [
    [570001, 3, 1],
    [570002, 3, 0],
    [570003, 1, 0],
  ] as const)
    await client.query(
      `INSERT INTO sms SELECT (jsonb_populate_record(x, $1)).* FROM sms x WHERE "tenantId" = '000000' LIMIT 1`,
      [JSON.stringify({ id, category, smsStatus, smsCode: `S${id}`, secretKey: 'key' })],
    )
}

/** Sign-ups for an exam that asks for the nationality as a line of text, and for one that asks something else by that code. */
async function makeNationalities(client: pg.Client): Promise<void> {
  const clone = (table: string, values: object) =>
    client.query(
      `INSERT INTO ${quote(table)} SELECT (jsonb_populate_record(x, $1)).* FROM ${quote(table)} x WHERE "tenantId" = '000000' LIMIT 1`,
      [JSON.stringify({ isDeleted: 0, ...values })],
    )
  const item = { itemCode: 'nation', itemName: '民族', inputType: 1, rules: { maxLength: 20 }, dictCode: null }
  await clone('examsignitems', { id: 340001, examId: 340001, ...item })
  const asked = { itemCode: 'education', itemName: '最高学历', inputType: 7, rules: null, dictCode: 'education' }
  await clone('examsignitems', { id: 340003, examId: 340001, ...asked })
  await clone('examsignitems', { id: 340002, examId: 340002, ...item, inputType: 2, rules: null })
  for (const [at, [typed]] of nationalities.entries())
    for (const examId of [340001, 340002])
      await clone('signup', {
        id: examId * 100 + at,
        examId,
        signNo: `N${examId}${at}`,
        idCardHash: `N${at}`,
        idCard: null,
        userId: at + 1,
        content: { ...(typed !== null && { nation: typed }), major: '护理学', education: '30' },
      })
}

/** Runs of leaves that stand at their second step, unclaimed and claimed, and one that was ended; of the first person's tenant. */
const runs = { waiting: '430001', claimed: '430002', ended: '430003' }

async function makeRuns(client: pg.Client): Promise<void> {
  for (const id of Object.values(runs)) {
    const isEnded = id === runs.ended
    await client.query(
      `INSERT INTO flow_instance (id, "tenantId", "versionId", "businessTable", "businessId", starter, facts, status, "createTime")
       SELECT $1, '000000', v.id, 'leave', $1, 1, '{"days": 5, "applicant": "1"}', $2, now() FROM flow_version v
       JOIN flow_deployment d ON d.id = v."deploymentId" WHERE d."modelKey" = 'leave' AND d."tenantId" = '000000' LIMIT 1`,
      [id, isEnded ? FlowRun.terminated : FlowRun.running],
    )
    const add = (node: string, values: object) =>
      client.query(
        `INSERT INTO flow_activity (id, "instanceId", "activityId", type, name, "createTime", "endTime", assignee, groups, "claimTime", pass, comment)
         SELECT $1::text::bigint, $2, $3, 'userTask', $3, now(), x."endTime", x.assignee, coalesce(x.groups, '{}'), x."claimTime", x.pass, x.comment
         FROM jsonb_populate_record(NULL::flow_activity, $4) x`,
        [`${id}${node.length}`, id, node, JSON.stringify(values)],
      )
    const now = new Date().toISOString()
    await add('approve', { endTime: now, assignee: '7', pass: true, comment: '同意' })
    await add('record', {
      groups: ['administrator', 'admin'],
      ...(id !== runs.waiting && { assignee: '8', claimTime: now }),
      ...(isEnded && { endTime: now }),
    })
  }
}

/** Works on a database by one connection. */
async function connected(to: TestDatabase, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(to.url)
  await client.connect()
  await work(client).finally(() => client.end())
}

beforeAll(async () => {
  database = await testDatabase('template0')
  await connected(database, async client => {
    await makeOld(client)
    await makeNationalities(client)
    await makeExports(client)
    await makeSends(client)
    await makeTextSettings(client)
    await makeRuns(client)
  })
  t = await testApp({ url: database.url, config: { demo: false }, oldRows: true })
})
afterAll(async () => {
  await t?.close()
  await database?.drop()
})

const rowsOf = async (sql: string, values: unknown[] = []) => (await t.pool.query(sql, values)).rows

/** Columns whose values the migrations and the start change on purpose, by table; `*` stands for rows that go. */
const meant: Readonly<Record<string, readonly string[]>> = {
  migration: ['hash', 'time'],
  change_count: ['*', 'count'],
  throttle: ['*'],
  user: ['lockUntil', 'failCount'],
  notice: ['examId'],
  menu: ['action', 'code', 'alias', 'parentId'],
  dict: ['dictKey', 'remark', 'updateTime'],
  items: ['inputType', 'dictCode', 'rules'],
  dict_biz: ['sort'],
  param: ['paramValue'],
  job_lock: ['*'],
  job_instance: ['leaseBy', 'leaseUntil'],
  grant_stamp: ['*', 'stamp', 'time'],
  datasource: ['password'],
}

test('its folder is entered as that of the installation, and gets a marker', async () => {
  const marker = await readFile(path.join(dataFolder(database.url), 'files', '.store'), 'utf8')
  expect(await rowsOf('SELECT id, kind FROM file_store')).toEqual([{ id: marker, kind: 'local' }])
})

describe('nothing is lost', () => {
  test.each(Object.keys(old.rows))('%s', async table => {
    const rows = old.rows[table]!
    const columns = Object.keys(rows[0] ?? {}).filter(name => !meant[table]?.includes(name))
    if (rows.length === 0 || meant[table]?.includes('*')) return
    const list = columns.map(quote).join(', ')
    const [{ lost }] = await rowsOf(
      `SELECT coalesce(json_agg(x), '[]') AS lost FROM (
         SELECT ${columns.map(name => `t.${quote(name)}::text`).join(', ')}
         FROM json_populate_recordset(NULL::${quote(table)}, $1) t
         EXCEPT ALL SELECT ${columns.map(name => `${quote(name)}::text`).join(', ')} FROM ${quote(table)}) x`,
      [JSON.stringify(rows)],
    )
    expect(lost, list).toEqual([])
  })

  test('what was thrown away on purpose is listed, and nothing else changed its meaning', async () => {
    expect(await rowsOf('SELECT key FROM throttle')).toEqual([{ key: 'code:ip:1' }])
    expect(await rowsOf('SELECT 1 FROM "user" WHERE "lockUntil" IS NOT NULL OR "failCount" > 0')).toEqual([])
  })
})

describe('processes that run', () => {
  test('stand where they stood, and their tasks keep their numbers', async () => {
    const rows = await rowsOf(
      `SELECT t.id, t.state, t.assignee, t.pass, t.comment, t."candidateGroups", k.state AS token
       FROM flow_task t JOIN flow_token k ON k.id = t."tokenId" WHERE t."instanceId" = ANY($1) ORDER BY t.id`,
      [Object.values(runs)],
    )
    const { claimable, open, done, cancelled } = FlowTaskState
    const { waiting, over } = TokenState
    const decided = (run: string) => [`${run}7`, done, '7', true, '同意', over]
    expect(rows.map(one => [one.id, one.state, one.assignee, one.pass, one.comment, one.token])).toEqual([
      [`${runs.waiting}6`, claimable, null, null, null, waiting],
      decided(runs.waiting),
      [`${runs.claimed}6`, open, '8', null, null, waiting],
      decided(runs.claimed),
      [`${runs.ended}6`, cancelled, '8', null, null, over],
      decided(runs.ended),
    ])
    expect(rows[0].candidateGroups).toEqual(['administrator', 'admin'])
  })

  test('go on', async () => {
    const chief = await signIn(t, { role: 'admin' })
    const post = (url: string, payload: object = {}) =>
      t.call({ method: 'POST', url: `/api/blade-flow/work/${url}`, headers: chief.headers, payload })
    const taskId = `${runs.waiting}6`
    expect((await post(`claim-task?taskId=${taskId}`)).code).toBe(200)
    expect((await post('complete-task', { taskId, processInstanceId: runs.waiting, pass: true })).code).toBe(200)
    expect(await rowsOf('SELECT status FROM flow_instance WHERE id = $1', [runs.waiting])).toEqual([
      { status: FlowRun.finished },
    ])
    const steps = await rowsOf('SELECT "activityId" FROM flow_activity WHERE "instanceId" = $1 ORDER BY id', [
      runs.waiting,
    ])
    expect(steps.map(one => one.activityId).join(' ')).toBe('record approve noted recorded yes agreed')
  })
})

describe('rows are in the form that this program reads', () => {
  test('notices name the exam that they are for', async () => {
    const rows = await rowsOf(
      `SELECT n.title, e.id IS NOT NULL AS named FROM notice n LEFT JOIN examination e ON e.id = n."examId"
       WHERE n.title IN ('一场考试', '两场考试', '一个阶段') ORDER BY 1`,
    )
    expect(rows).toEqual([
      { title: '一个阶段', named: true },
      { title: '一场考试', named: true },
      { title: '两场考试', named: false },
    ])
  })

  test('nationalities are chosen: words are keys now, others stay as they were written', async () => {
    const nations = (examId: number) =>
      rowsOf(
        `SELECT content->>'nation' AS nation, content->>'major' AS major FROM signup WHERE "examId" = $1 ORDER BY id`,
        [examId],
      )
    const major = '护理学'
    expect(await nations(340001)).toEqual(nationalities.map(([, kept]) => ({ nation: kept, major })))
    expect(await nations(340002)).toEqual(nationalities.map(([typed]) => ({ nation: typed, major })))
    expect(
      await rowsOf(
        `SELECT "inputType", "dictCode", rules FROM examsignitems WHERE "examId" IN (340001, 340002) AND "itemCode" = 'nation' ORDER BY id`,
      ),
    ).toEqual([
      { inputType: 7, dictCode: 'nation', rules: null },
      { inputType: 2, dictCode: null, rules: null },
    ])
    expect(await rowsOf(`SELECT DISTINCT "inputType", "dictCode" FROM items WHERE "itemCode" = 'nation'`)).toEqual([
      { inputType: 7, dictCode: 'nation' },
    ])
    const words = await rowsOf(
      `SELECT "dictKey", "dictValue" FROM dict_biz WHERE code = 'nation' AND "tenantId" = '000000' AND "dictKey" > '96' ORDER BY sort`,
    )
    expect(words.map(row => [row.dictKey, row.dictValue])).toEqual([
      ['97', '其他'],
      ['98', '外国血统中国籍人士'],
    ])
  })

  test('answers to education are kept in their column where the form asks by the dictionary', async () => {
    const kept = `SELECT DISTINCT "examId"::int, education FROM signup WHERE "examId" IN (340001, 340002) ORDER BY 1`
    expect(await rowsOf(kept)).toEqual([
      { examId: 340001, education: '30' },
      { examId: 340002, education: null },
    ])
  })

  test('dictionaries of two digits begin with the first', async () => {
    const rows = await rowsOf(
      `SELECT DISTINCT ON ("tenantId", code) code, "dictKey" FROM dict_biz WHERE code IN ('nation', 'politics') AND "dictKey" <> '-1'
       ORDER BY "tenantId", code, sort, id`,
    )
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.map(row => row.dictKey)).toEqual(rows.map(() => '01'))
  })

  test('templates of the provider that was in use are so themselves, as main ones', async () => {
    const rows = await rowsOf(
      'SELECT id, "smsStatus", priority FROM sms WHERE id IN (570001, 570002, 570003) ORDER BY id',
    )
    expect(rows.map(row => [Number(row.id), row.smsStatus, row.priority])).toEqual([
      [570001, 1, 1],
      [570002, 1, 1],
      [570003, 0, 1],
    ])
  })

  test('a day of text messages is counted by the clock of Shanghai', async () => {
    const rows = await rowsOf('SELECT "tenantId", day::text, segments FROM sms_day ORDER BY day')
    expect(rows).toEqual([
      { tenantId: '000000', day: '2026-11-20', segments: 4 },
      { tenantId: '000000', day: '2026-11-21', segments: 4 },
    ])
  })

  test('what came of another amount stands at its order', async () => {
    expect(await rowsOf(`SELECT "paidAmount" FROM payorder WHERE "exceptReason" = '金额不符'`)).toEqual([
      { paidAmount: 4321 },
    ])
  })

  test('frozen ledgers have their digests', async () => {
    const rows = await rowsOf(
      'SELECT x.digest = exportpay_digest(x) AS own, m."rowsDigest" FROM exportpay x JOIN exportpaymain m ON m.id = x."mainId"',
    )
    expect(rows).toHaveLength(2)
    for (const row of rows) expect(row).toEqual({ own: true, rowsDigest: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test.each([examuser, examroom])(
    '$name is changed by the version that its rows have been given',
    async ({ name, path }) => {
      const [row] = await rowsOf(`SELECT id, version, enable FROM ${name} WHERE "tenantId" = '000000'`)
      expect(row.version).toBe(0)
      const chief = await signIn(t, { role: 'administrator' })
      const change = { ids: row.id, versions: '1', enable: row.enable }
      const reply = await t.call({ method: 'POST', url: `/api${path}/change`, headers: chief.headers, payload: change })
      expect(reply.code).toBe(29002)
    },
  )

  test('buttons stand where they stood', async () => {
    const rows = await rowsOf(`SELECT code, action FROM menu WHERE code LIKE 'own%' ORDER BY code`)
    expect(rows).toEqual([
      { code: 'own_0', action: 1 },
      { code: 'own_1', action: 2 },
      { code: 'own_2', action: 3 },
      { code: 'own_menu', action: null },
    ])
    const keys = await rowsOf(
      `SELECT "dictKey", "dictValue" FROM dict WHERE code = 'button_func' AND "parentId" <> 0 ORDER BY 1`,
    )
    expect(keys.map(row => `${row.dictKey}${row.dictValue}`)).toEqual(['1工具栏', '2操作栏', '3工具操作栏'])
  })

  test('a note of the check-in is no rehearsal, and whoever has held an exam gets no start list', async () => {
    expect(await rowsOf('SELECT rehearsal FROM check_in')).toEqual([{ rehearsal: false }])
    const put = await rowsOf(`SELECT "tenantId" FROM start_step WHERE code = '*' ORDER BY 1`)
    expect(put.map(row => row.tenantId)).toEqual(['000000', '900002'])
  })

  test('runs of jobs that are open wait in the queue', async () => {
    const rows = await rowsOf(
      `SELECT w.key, w.kind, w."tenantId" FROM work_item w JOIN job_instance r ON r.id::text = w.key
       WHERE w.state = 1 AND w."runAt" = r."planTime" AND w."maxTries" = 1 ORDER BY w.key`,
    )
    const open = old.rows.job_instance!.map(({ id, tenantId }) => ({ key: id, kind: 'job.run', tenantId }))
    expect(rows).toEqual(open)
  })

  test('exports in the background stand in the queue with their orders, those that may be asked for again, too', async () => {
    const rows = await rowsOf(
      `SELECT key, state, tries, payload, memo, "endTime" IS NOT NULL AS ended FROM work_item WHERE kind = 'export' ORDER BY key`,
    )
    const memo = { kind: 'list', userId: '5', roleIds: '7,8', deptIds: '' }
    const payload = 'v1:order'
    expect(rows).toEqual([
      { key: '422000', state: WorkState.waiting, tries: 0, payload, memo, ended: false },
      {
        key: '422001',
        state: WorkState.waiting,
        tries: 1,
        payload,
        memo: { ...memo, place: 'some/place' },
        ended: false,
      },
      { key: '422003', state: WorkState.failed, tries: 3, payload, memo, ended: true },
      { key: '422004', state: WorkState.cancelled, tries: 0, payload, memo, ended: true },
    ])
  })

  test('sendings that go out or are planned stand in the queue', async () => {
    const rows = await rowsOf(
      `SELECT w.key, w.state, s."planTime" = w."runAt" AS planned FROM work_item w JOIN send s ON s.id::text = w.key
       WHERE kind = 'sms.send' ORDER BY key`,
    )
    expect(rows).toEqual([
      { key: '423002', state: WorkState.waiting, planned: true },
      { key: '423003', state: WorkState.waiting, planned: null },
    ])
  })

  test('parameters mean what they meant', async () => {
    const read = (key: keyof typeof parameters) => readParam(t.db, '000000', key)
    expect(await read('site.register')).toBe('true')
    expect(await read('job.hosts')).toBe('10.0.0.5:8080,job.example.org')
    expect(await read('develop.hosts')).toBe('-')
    expect(isRequired(policyOf(await read('login.secondFactor')), ['administrator'])).toBe(true)
    expect(await read('log.api.days')).toBe('400')
    expect(await read('log.error.days')).toBe('180')
    expect(await read('export.days')).toBe('30')
    expect(await read('sms.unitFen')).toBe('5')
    expect(await read('sms.dailyFen')).toBe('100000')
    expect(await read('map.search')).toBe('-')
    expect(await read('site.title')).toBe('县'.repeat(60))
  })
})

describe('every list and every row can be read', () => {
  const roles = ['administrator', 'admin', 'exam_admin', 'reviewer', 'finance', 'operator', 'auditor', 'candidate']

  test.each(roles)('by %s', async role => {
    const { headers } = await signIn(t, { role })
    const found: string[] = []
    for (const resource of resources as readonly Resource[]) {
      const [row] = await rowsOf(
        `SELECT id::text FROM ${quote(tableOf(resource.name))} WHERE id::text LIKE '71000%' LIMIT 1`,
      )
      const urls = [`${resource.path}/page`, ...(row ? [`${resource.path}/detail?id=${row.id}`] : [])]
      for (const url of urls) {
        const { status } = await t.call({ url: `/api${url}`, headers })
        if (![200, 400, 401, 403, 404].includes(status)) found.push(`${status} ${url}`)
      }
    }
    expect(found).toEqual([])
  })
})

test('tables without a row in the way become what those of a new one are', async () => {
  const [older, empty] = [await testDatabase('template0'), await testDatabase('template0')]
  try {
    await connected(older, client => makeOld(client, false))
    const before = await structureOf(older.url)
    const config = { demo: false, adminPassword: 'Shan7-Hai9-Guan' }
    for (const { url } of [older, empty]) await testApp({ url, config }).then(one => one.close())
    const [upgraded, fresh] = [await structureOf(older.url), await structureOf(empty.url)]
    // Columns of former fields stay.
    const former = entities.flatMap(({ name, retired }) => retired.map(one => `column ${tableOf(name)}.${one} `))
    expect(upgraded.filter(line => !former.some(one => line.startsWith(one)))).toEqual(fresh)
    expect(fresh.length).toBeGreaterThan(before.length)
  } finally {
    for (const one of [older, empty]) await one.drop()
  }
})

test('every entity of that time has a row in it', () => {
  const known = Object.keys(old.rows)
  const names = entities.map(({ name }) => tableOf(name)).filter(name => known.includes(name))
  expect(names.filter(name => old.rows[name]!.length === 0).length).toBeLessThan(12)
})
