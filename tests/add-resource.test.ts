import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { check, Resource, Workspace, workspaceProblems } from '#engine'
import type { unanswered } from '../src/crud/routes.ts'
import { templateWorkbook } from '../src/platform/workbook/workbook.ts'
import { readRows } from '../src/platform/workbook/workbook-read.ts'
import type { catalogue, definitionCode, definitions } from '../src/screens/definitions.ts'
import type { drawnSchema } from '../src/screens/form-schema.ts'
import type { interpret } from '../src/screens/interpreter.ts'
import type { buildApp } from '../src/server/app.ts'
import { type TestApp, testApp } from './helper/app.ts'
import { type Copy, copyProgram } from './helper/copy.ts'
import { type Caller, signIn } from './helper/person.ts'

const root = path.resolve(import.meta.dirname, '..')
const steps =
  readFileSync(path.join(root, 'README.md'), 'utf8')
    .split('\n## ')
    .find(part => /three steps/.test(part)) ?? ''

/** The two files that the README shows, by the path it names. */
const shown = Object.fromEntries(
  [...steps.matchAll(/`((?:schemas|resources)\/\S+\.ts)`:\s+```ts\n(.*?)```/gs)].map(([, file, text]) => [file, text]),
)
/** The two lines that the README shows: the file that gets each. */
const added = Object.fromEntries(
  [...steps.matchAll(/`(export \* from [^`]+)`\s+in\s+`([^`]+)`/g)].map(([, line, file]) => [file, line]),
)

/** A second one with everything a definition can hold: a dictionary of its own, an image, a child that points at it. */
const more = {
  'schemas/exams/workshop.ts': `
    import { dateTime, dict, dictionary, entity, image, integer, optional, ref, type Row, state, text } from '#engine'
    export const trade = dictionary('workshop_trade', '工种', { carpenter: [1, '木工'], electrician: [2, '电工'] })
    export const progress = dictionary('workshop_progress', '进度', { preparing: [0, '筹备'], open: [1, '开放'] })
    export const Workshop = entity('workshop', '实训室', {
      workshopName: text('实训室名称', { maxLength: 40, unique: true }),
      trade: dict('工种', trade),
      progress: state('进度', progress),
      examId: optional(ref('所属考试', 'examination')),
      picture: optional(image('照片', { keep: { from: 'end', months: 12, then: 'erase', ground: '备查' } })),
      openTime: optional(dateTime('开放时间')),
      plugs: optional(integer('插座数', { minimum: 1 })),
    }, { requiredWhen: { plugs: { trade: trade.names.electrician } } })
    export type Workshop = Row<typeof Workshop>
    declare module '#engine' { interface Entities { workshop: typeof Workshop } }`,
  'resources/exams/workshop.ts': `
    import { resource, view } from '#engine'
    import { arranged, byExam } from '../scopes.ts'
    import { progress, Workshop } from '../../schemas/exams/workshop.ts'
    export const workshop = resource(Workshop, {
      path: '/blade-exam/workshop',
      scope: byExam('examId', arranged),
      can: ['view', 'add', 'edit', 'remove', 'export', 'import'],
      search: ['workshopName', 'trade', 'progress'],
      form: { 基本: ['workshopName', 'trade', 'plugs', 'examId'], 照片: ['picture', 'openTime'] },
      children: { bench: { label: '工位', by: 'workshopId', in: 'form' } },
      transitions: {
        open: { label: '开放', on: 'rows', call: 'POST open?ids', when: { progress: progress.names.preparing }, set: { progress: progress.names.open, openTime: '$now' } },
        prepare: { label: '恢复筹备', call: 'POST prepare?id', when: { progress: progress.names.open }, set: { progress: progress.names.preparing } },
      },
    })
    export const electric = view(workshop, 'electric', {
      title: '电工实训室', route: '/exam/electric', where: { trade: 2 }, tabs: { progress: [0, 1] },
      columns: ['workshopName', 'exam.examName', 'plugs'], buttons: ['open'], can: ['view', 'edit'],
    })`,
  'schemas/exams/bench.ts': `
    import { entity, integer, ref, text } from '#engine'
    export const Bench = entity('bench', '工位', {
      benchNo: text('工位号', { maxLength: 10 }),
      workshopId: ref('实训室', 'workshop'),
      seats: integer('座位数', { minimum: 1, maximum: 9, default: 1 }),
    })
    declare module '#engine' { interface Entities { bench: typeof Bench } }`,
  'resources/exams/bench.ts': `
    import { resource, through } from '#engine'
    import { Bench } from '../../schemas/exams/bench.ts'
    export const bench = resource(Bench, {
      path: '/blade-exam/bench', scope: through('workshopId'),
      columns: ['benchNo', 'workshopId', 'workshop.trade'], search: ['seats', 'workshop.workshopName'],
    })`,
}
const moreLines = {
  'schemas/all.ts': ['./exams/workshop.ts', './exams/bench.ts'],
  'resources/exams/index.ts': ['./workshop.ts', './bench.ts'],
}

/** A place around one of them. */
const around = {
  'resources/exams/workshop-workspace.ts': `
    import { workspace } from '#engine'
    import { workshop } from './workshop.ts'
    export const workshopWorkspace = workspace(workshop, {
      route: '/exam/workshop/:id',
      header: { state: 'progress', short: 'trade', facts: ['plugs'], main: ['prepare'] },
      today: { 单人工位: { of: 'bench', where: { seats: 1 }, page: 'benches' } },
      pages: { 工位: { benches: { list: 'bench' } }, 设置: { edit: { form: true, title: '基本信息' } } },
    })`,
}

/** Puts the workspace among the others, as the recipe says. */
function listWorkspace(): void {
  const file = path.join(copy.folder, 'resources/workspaces.ts')
  const text = readFileSync(file, 'utf8').replace('jobServerWorkspace])', 'jobServerWorkspace, workshopWorkspace])')
  writeFileSync(file, `import { workshopWorkspace } from './exams/workshop-workspace.ts'\n${text}`)
}

/** A call as OpenAPI describes it. */
interface Described {
  parameters?: readonly { name: string }[]
  requestBody?: { content: Record<string, { schema: { properties: object } }> }
}

let copy: Copy
let t: TestApp
let admin: Caller
let nobody: Caller

/** Something a module of the copy exports. */
async function from<T>(file: string, name: string): Promise<T> {
  return (await import(/* @vite-ignore */ path.join(copy.folder, file)))[name]
}

beforeAll(async () => {
  const lines = Object.entries(moreLines).map(([file, targets]) => [
    file,
    [added[file], ...targets.map(target => `export * from '${target}'`)].join('\n'),
  ])
  copy = await copyProgram({ ...shown, ...more, ...around }, Object.fromEntries(lines))
  listWorkspace()
  t = await testApp({ build: await from<typeof buildApp>('src/server/app.ts', 'buildApp') })
  admin = await signIn(t, { role: 'administrator' })
  nobody = await signIn(t, { permissions: [] })
})
afterAll(async () => {
  await t?.close()
  await copy?.remove()
})

const call = <T = unknown>(url: string, payload?: object) =>
  t.call<T>({ url: `/api${url}`, headers: admin.headers, ...(payload ? { method: 'POST', payload } : {}) })
const only = async (url: string) => {
  const { data } = await call<{ records: Record<string, unknown>[] }>(url)
  expect(data.records).toHaveLength(1)
  return data.records[0] as Record<string, unknown>
}
const rowsOf = async (book: Buffer) => {
  const rows = []
  for await (const row of readRows(book)) rows.push(row.cells.map(cell => cell.text))
  return rows
}

test('the README shows two files and two lines', () => {
  expect(Object.keys(shown).map(file => path.dirname(file))).toEqual(['schemas/exams', 'resources/exams'])
  expect(Object.keys(added).toSorted()).toEqual(Object.keys(moreLines).toSorted())
})

test('a dictionary, a reference, a state with its action, a child table, a picture and a view take under 60 lines', () => {
  const written = Object.values(more).flatMap(text => text.trim().split('\n'))
  expect(written.length + Object.values(moreLines).flat().length).toBeLessThan(60)
})

test('the definitions compile', () => {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  const include = ['schemas', 'resources', 'src/engine', 'src/**/refusals.ts']
  const config = path.join(copy.folder, 'tsconfig.definitions.json')
  writeFileSync(config, JSON.stringify({ extends: './tsconfig.json', include }))
  expect(() => execFileSync(process.execPath, [tsc, '-p', config], { encoding: 'utf8' })).not.toThrow()
})

test('the definitions fit together, and every action is answered', async () => {
  const checking = await from<typeof check>('src/engine/index.ts', 'check')
  const all = await from<readonly Resource[]>('resources/index.ts', 'resources')
  expect(all.map(one => one.name)).toEqual(expect.arrayContaining(['lamp', 'workshop', 'bench']))
  expect(checking(all)).toEqual([])
  expect((await from<typeof unanswered>('src/crud/routes.ts', 'unanswered'))(t.app)).toEqual([])
})

test('the tables are there, with their unique rule', async () => {
  const { rows } = await t.pool.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_name IN ('lamp', 'workshop')`,
  )
  const columns = ['lamp.lampName', 'lamp.volts', 'lamp.lampStatus', 'lamp.tenantId', 'workshop.picture']
  expect(rows.map(row => row.name)).toEqual(expect.arrayContaining(columns))
  const indexes = await t.pool.query(`SELECT 1 FROM pg_indexes WHERE indexname = 'u_lamp_tenantId_lampName'`)
  expect(indexes.rowCount).toBe(1)
})

test('the menu, its buttons and the dictionary are there for administrators, and for nobody else', async () => {
  const texts = async (path: string, who: Caller) =>
    (await t.app.inject({ url: `/api/blade-system/menu/${path}`, headers: who.headers })).body
  expect(await texts('routes', admin)).toContain('"/exam/lamp"')
  for (const code of ['lamp_add', 'lamp_switchOn', 'workshop_open'])
    expect(await texts('buttons', admin)).toContain(`"${code}"`)
  expect(await texts('routes', nobody)).not.toContain('/exam/lamp')
  const entries = await call<{ dictValue: string }[]>('/blade-system/dict/dictionary?code=workshop_trade')
  expect(entries.data.map(one => one.dictValue)).toEqual(['木工', '电工'])
})

describe('the resource of the README', () => {
  test('is added, found, changed by its action and removed', async () => {
    expect(await call('/blade-exam/lamp/submit', { lampName: '门灯', volts: 220 })).toMatchObject({ status: 200 })
    expect(await call('/blade-exam/lamp/submit', { lampName: '门灯', volts: 220 })).toMatchObject({ code: 29004 })
    const wrong = await call('/blade-exam/lamp/submit', { lampName: '台灯', volts: 1000 })
    expect(wrong).toMatchObject({ status: 400, data: [{ field: 'volts' }] })
    const row = await only('/blade-exam/lamp/page?lampName=门&lampStatus=0')
    expect(await call(`/blade-exam/lamp/detail?id=${row.id}`)).toMatchObject({ data: { volts: 220, lampStatus: 0 } })
    expect(await call(`/blade-exam/lamp/switchOn?id=${row.id}`, {})).toMatchObject({ status: 200 })
    expect(await call(`/blade-exam/lamp/switchOn?id=${row.id}`, {})).toMatchObject({ code: 200 })
    expect(await only('/blade-exam/lamp/page?lampStatus=1')).toMatchObject({ id: row.id })
    expect(await call(`/blade-exam/lamp/remove?ids=${row.id}`, {})).toMatchObject({ status: 200 })
    expect(await call('/blade-exam/lamp/page')).toMatchObject({ data: { total: 0 } })
  })

  test('asks who one is and what one may', async () => {
    const calls = ['page', 'list', 'detail?id=1', 'export', 'select'].map(end => `/api/blade-exam/lamp/${end}`)
    for (const url of calls) expect([url, (await t.app.inject(url)).statusCode]).toEqual([url, 401])
    for (const url of calls.filter(one => !one.endsWith('select')))
      expect([url, (await t.app.inject({ url, headers: nobody.headers })).statusCode]).toEqual([url, 403])
  })

  test('is described for programs', async () => {
    const { paths } = (await t.app.inject('/api/docs/json')).json<{
      paths: Record<string, Record<string, Described>>
    }>()
    const submit = paths['/api/blade-exam/lamp/submit']?.post
    expect(submit).toMatchObject({ summary: '灯：新增或修改', tags: ['考试管理'] })
    const { properties } = submit?.requestBody?.content['application/json']?.schema ?? {}
    expect(properties).toMatchObject({ lampName: { title: '名称' }, volts: { title: '电压', maximum: 400 } })
    expect(paths['/api/blade-exam/lamp/page']?.get?.parameters).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'current', in: 'query' }),
        expect.objectContaining({ name: 'lampName', description: '名称' }),
        expect.objectContaining({ name: 'createTime_dategt' }),
      ]),
    )
    const own = Object.keys(paths).filter(one => one.startsWith('/api/blade-exam/lamp/'))
    expect(own.map(one => path.basename(one)).toSorted()).toEqual([
      'detail',
      'export',
      'list',
      'page',
      'remove',
      'select',
      'submit',
      'switchOn',
    ])
  })
})

describe('a resource with more to it', () => {
  const at = '/blade-exam/workshop'

  test('holds references and pictures to what is there', async () => {
    const values = { workshopName: '一号', trade: 1, examId: '1', picture: '2' }
    const refused = await call(`${at}/submit`, values)
    expect(refused).toMatchObject({ code: 29005 })
    expect((refused.data as { field: string }[]).map(one => one.field)).toContain('examId')
    expect(await call(`${at}/submit`, { workshopName: '一号', trade: 3 })).toMatchObject({ code: 29005 })
    expect(await call(`${at}/submit`, { workshopName: '一号', trade: 1 })).toMatchObject({ status: 200 })
  })

  test('moves its state for several rows at once, and is kept while its children point at it', async () => {
    const { id } = await only(`${at}/page?workshopName=一号`)
    expect(await call('/blade-exam/bench/submit', { benchNo: '1', workshopId: id })).toMatchObject({ status: 200 })
    expect(await only(`/blade-exam/bench/page?workshopId=${id}`)).toMatchObject({ workshopIdName: '一号', seats: 1 })
    expect(await call(`${at}/open?ids=${id}`, {})).toMatchObject({ data: { changed: 1, total: 1 } })
    expect(await only(`${at}/page?progress=1`)).toMatchObject({ openTime: expect.stringMatching(/^\d{4}-/) })
    expect(await call(`${at}/remove?ids=${id}`, {})).toMatchObject({ code: 29003 })
    expect(await call(`${at}/prepare?id=${id}`, {})).toMatchObject({ status: 200 })
    expect(await only(`${at}/page?workshopName=一号`)).toMatchObject({ progress: 0 })
  })

  test('takes rows of its child with its own form', async () => {
    const seats = (benchNo: string, more: object = {}) => ({ benchNo, ...more })
    const six = { workshopName: '六号', trade: 1, bench: [seats('甲'), seats('乙', { seats: 99 })] }
    expect(await call(`${at}/submit`, six)).toMatchObject({ code: 29005, data: [{ field: 'bench.1.seats' }] })
    expect(await call(`${at}/page?workshopName=六号`)).toMatchObject({ data: { total: 0 } })
    const right = { ...six, bench: [seats('甲'), seats('乙', { seats: 2 })] }
    expect(await call(`${at}/submit`, right)).toMatchObject({ status: 200 })
    const { id } = await only(`${at}/page?workshopName=六号`)
    expect(await call(`/blade-exam/bench/page?workshopId=${id}`)).toMatchObject({ data: { total: 2 } })
  })

  test('shows what its rows refer to, and is searched by it', async () => {
    expect(await only('/blade-exam/bench/page?workshop.workshopName=一号')).toMatchObject({ 'workshop.trade': 1 })
    expect(await call('/blade-exam/bench/page?workshop.workshopName=二号')).toMatchObject({ data: { total: 0 } })
    const [head, row] = await rowsOf(
      (await t.app.inject({ url: '/api/blade-exam/bench/export', headers: admin.headers })).rawPayload,
    )
    expect(row?.[head?.indexOf('工种') ?? -1]).toBe('木工')
  })

  test('has a view: an entry in the menu, a permission and rows of its own', async () => {
    const electrician = await signIn(t, { permissions: ['workshop_electric', 'workshop_electric_open'] })
    const routes = await t.app.inject({ url: '/api/blade-system/menu/routes', headers: electrician.headers })
    expect(routes.body).toContain('"/exam/electric"')
    expect(routes.body).not.toContain('"/exam/workshop"')
    await call(`${at}/submit`, { workshopName: '配电室', trade: 2, plugs: 9 })
    const seen = async (who: Caller, query = '') => {
      const { data } = await t.call<{ records: { id: string; workshopName: string }[] }>({
        url: `/api${at}/page${query}`,
        headers: who.headers,
      })
      return data.records.map(row => row.workshopName)
    }
    expect(await seen(admin)).toEqual(expect.arrayContaining(['一号', '配电室']))
    expect(await seen(admin, '?view=electric')).toEqual(['配电室'])
    // No appointment leads to a room of an exam.
    expect(await seen(electrician)).toEqual([])
  })

  test('asks for some fields only where a row meets their condition', async () => {
    const [carpenter, electrician] = [1, 2]
    const missing = { code: 29005, data: [{ field: 'plugs', msg: '请输入插座数' }] }
    expect(await call(`${at}/submit`, { workshopName: '三号', trade: electrician })).toMatchObject(missing)
    expect(await call(`${at}/submit`, { workshopName: '三号', trade: electrician, plugs: '' })).toMatchObject(missing)
    const three = { workshopName: '三号', trade: electrician, plugs: 4 }
    expect(await call(`${at}/submit`, three)).toMatchObject({ status: 200 })
    const { id } = await only(`${at}/page?workshopName=三号`)
    expect(await call(`${at}/submit`, { id, plugs: '' })).toMatchObject(missing)
    expect(await call(`${at}/submit`, { id, workshopName: '三号楼' })).toMatchObject({ status: 200 })
    expect(await only(`${at}/page?workshopName=三号`)).toMatchObject({ plugs: 4 })
    expect(await call(`${at}/submit`, { id, trade: carpenter })).toMatchObject({ status: 200 })
    expect(await only(`${at}/page?workshopName=三号`)).toMatchObject({ trade: carpenter, plugs: '' })
    expect(await call(`${at}/submit`, { id, trade: electrician })).toMatchObject(missing)
    const four = { workshopName: '四号', trade: carpenter, plugs: 4 }
    expect(await call(`${at}/submit`, four)).toMatchObject({ status: 200 })
    expect(await only(`${at}/page?workshopName=四号`)).toMatchObject({ plugs: '' })
    const { paths } = (await t.app.inject('/api/docs/json')).json()
    const body = paths[`/api${at}/submit`].post.requestBody.content['application/json'].schema
    const condition = { properties: { trade: { enum: [electrician] } }, required: ['trade'] }
    expect(body.allOf).toEqual([{ if: condition, then: { required: ['plugs'] } }])
  })

  test('goes to Excel in words and comes back from it', async () => {
    const get = async (end: string) =>
      (await t.app.inject({ url: `/api${at}/${end}`, headers: admin.headers })).rawPayload
    const [head, row] = await rowsOf(await get('export'))
    expect(row?.[head?.indexOf('工种') ?? -1]).toBe('木工')
    const [mark, titles] = await rowsOf(await get('template'))
    expect(titles).toContain('(*) 插座数')
    const columns = (titles ?? []).map(title => ({
      title: title.replace(/^\(?\*\)? /, ''),
      required: title.startsWith('* '),
    }))
    const version = /：(\S+?)（/.exec(mark?.[0] ?? '')?.[1] ?? ''
    const send = async (...rows: Record<string, string>[]) => {
      const form = new FormData()
      const cells = rows.map(row => columns.map(({ title }) => row[title] ?? null))
      const book = await templateWorkbook({ sheet: '实训室', version, columns, rows: cells })
      form.set('file', new Blob([new Uint8Array(book)]), 'a.xlsx')
      return t.call({ method: 'POST', url: `/api${at}/import?mode=1`, headers: admin.headers, payload: form })
    }
    const two = { 实训室名称: '二号', 工种: '电工' }
    expect(await send(two)).toMatchObject({ data: { total: 1, success: 0, failed: 1 } })
    const five = { 实训室名称: '五号', 工种: '木工', 插座数: '3' }
    expect(await send({ ...two, 插座数: '6' }, five)).toMatchObject({ data: { total: 2, success: 2, failed: 0 } })
    expect(await only(`${at}/page?workshopName=二号`)).toMatchObject({ trade: 2, progress: 0, plugs: 6 })
    expect(await only(`${at}/page?workshopName=五号`)).toMatchObject({ trade: 1, plugs: '' })
  })
})

test('a workspace around a row has its call, its addresses and its pages without further code', async () => {
  const at = '/blade-exam/workshop'
  const bench = [{ benchNo: '甲' }, { benchNo: '乙', seats: 2 }]
  expect(await call(`${at}/submit`, { workshopName: '七号', trade: 1, bench })).toMatchObject({ status: 200 })
  const { id } = await only(`${at}/page?workshopName=七号`)
  expect(await call(`${at}/workspace?id=${id}`)).toMatchObject({
    data: {
      row: { id, progress: 0, trade: 1 },
      label: '七号',
      today: [{ title: '单人工位', count: 1 }],
    },
  })
  const url = `/api${at}/workspace?id=${id}`
  expect((await t.app.inject({ url, headers: nobody.headers })).statusCode).toBe(403)
  const { paths } = (await t.app.inject('/api/docs/json')).json()
  expect(paths[`/api${at}/workspace`].get.summary).toMatch(/^实训室：/)
  const all = await from<readonly Workspace[]>('resources/workspaces.ts', 'workspaces')
  const screens = await Promise.all(
    ['resources', 'views'].map(name => from<readonly Resource[]>('resources/index.ts', name)),
  )
  const problems = await from<typeof workspaceProblems>('src/engine/index.ts', 'workspaceProblems')
  expect(problems(all, screens.flat())).toEqual([])
  const plugin = (await from<typeof definitions>('src/screens/definitions.ts', 'definitions'))()
  const code = async (name: string) =>
    String(await (plugin.load as (id: string) => Promise<unknown>)(`\0virtual:${name}`))
  expect(await code('catalogue')).toContain(`{ name: 'workshop', route: '/exam/workshop/:id',`)
  const made = JSON.parse((await code('workspaces/workshop')).replace('export default ', '')) as Workspace
  expect(made.pages).toMatchObject([
    { tab: '工位', name: 'benches', list: 'bench', by: 'workshopId' },
    { tab: '设置', name: 'edit', form: true },
  ])
})

test('the screen stands at its address and its form is checked in the browser', async () => {
  const listed = (await from<typeof catalogue>('src/screens/definitions.ts', 'catalogue'))()
  expect(listed).toContainEqual(expect.objectContaining({ name: 'lamp', screen: '/exam/lamp', tree: null }))
  const made = (await from<typeof definitionCode>('src/screens/definitions.ts', 'definitionCode'))('lamp')
  const [, written = ''] = made.split('export default ')
  const resource = JSON.parse(written) as Resource
  const schema = (await from<typeof drawnSchema>('src/screens/form-schema.ts', 'drawnSchema'))(resource)
  const errorsOf = (await from<typeof interpret>('src/screens/interpreter.ts', 'interpret'))(schema)
  const errors = errorsOf({ lampName: '门灯', volts: 500 })
  expect(errors).toEqual([{ path: ['volts'], keyword: 'maximum' }])
})

test('a definition that does not fit the others stops the build, which says what and where', () => {
  for (const file of ['vite.config.ts', 'package-lock.json'])
    copyFileSync(path.join(root, file), path.join(copy.folder, file))
  const bench = path.join(copy.folder, 'resources/exams/bench.ts')
  writeFileSync(bench, readFileSync(bench, 'utf8').replace('/blade-exam/bench', '/blade-exam/workshop'))
  const { status, stderr } = spawnSync(process.execPath, ['src/launch.mjs', 'build', 'server'], {
    cwd: copy.folder,
    encoding: 'utf8',
  })
  expect(stderr).toContain('resources: path «/blade-exam/workshop» is used twice')
  expect([status, existsSync(path.join(copy.folder, 'dist/server'))]).toEqual([1, false])
})
