import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { copyProgram } from '../helper/copy.ts'
import { startPostgres } from '../helper/outside-postgres.ts'
import { runNode } from '../helper/process.ts'
import { runProgram } from '../helper/program.ts'
import { testSecretKey } from '../helper/secret-key.ts'
import { startServers } from '../helper/servers.ts'
import { lostOf, type Outcome, steadyLoad } from '../helper/steady-load.ts'
import { trial } from '../helper/trial.ts'
import { expectWhole } from '../helper/whole.ts'

/** What the newer version has: another table with a unique index, and another column of a table that is there. */
const newer = {
  files: {
    'schemas/exams/workshop.ts': `import { entity, integer, text } from '#engine'
export const Workshop = entity('workshop', '实训室', {
  workshopName: text('实训室名称', { maxLength: 40, unique: true }),
  plugs: integer('插座数', { minimum: 1, default: 1 }),
})
declare module '#engine' { interface Entities { workshop: typeof Workshop } }
`,
  },
  lines: { 'schemas/all.ts': `export * from './exams/workshop.ts'` },
  column: ['  postName:', "  plugs: optional(integer('插座数')),\n  postName:"] as const,
}

/** All that the tables consist of, as the catalogue has it. */
const catalogue = `SELECT 'column' AS kind, table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS is
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT 'index', indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT 'rule', conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT 'broken', indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid ORDER BY 1, 2`

trial(
  'two processes go to the next version, back and forth again under load, ten restarts: no call fails, the tables stay',
  { needs: ['postgres'], minutes: 20 },
  async run => {
    const copy = await copyProgram(newer.files, newer.lines)
    run.after(() => copy.remove())
    const post = path.join(copy.folder, 'schemas/system/post.ts')
    await writeFile(post, (await readFile(post, 'utf8')).replace(...newer.column))
    await runProgram(process.execPath, ['src/launch.mjs', 'build', 'server'], { cwd: copy.folder, asRoot: true })
    const programs = { old: undefined, new: path.join(copy.folder, 'dist/server') }

    const database = await startPostgres(run)
    const env = { DATABASE_URL: database.url }
    const { all, urls, headers } = await startServers(run, 2, env)
    const outcomes: Outcome[] = []
    const saved: string[] = []
    let restarts = 0
    /** Ends a process in order while the other is called, as behind a balancer, and starts a version in its place. */
    const change = async (at: number, version: keyof typeof programs) => {
      const load = steadyLoad({ urls: [urls[1 - at]!], headers, name: `turn.${restarts++}`, writers: 4, readers: 4 })
      expect(await all[at]!.now.stop()).toBe(0)
      const folder = programs[version]
      await all[at]!.start({}, folder && path.join(folder, 'server.js'))
      await sleep(500)
      outcomes.push(await load.end())
      saved.push(...load.saved)
    }
    let steady: unknown
    // What the newer version adds leaves the older one working: it starts again at any time, and changes nothing.
    for (const version of ['new', 'old', 'new', 'old', 'new'] as const) {
      await change(0, version)
      await change(1, version)
      const found = await database.query(catalogue)
      steady ??= found
      expect(found).toEqual(steady)
    }
    const toDo = await runNode('schema', ['plan'], { ...env, SECRET_KEY: testSecretKey })
    expect(toDo).toContain('The database is as the definitions say.')
    expect(JSON.stringify(steady)).toContain('post.plugs')
    expect(JSON.stringify(steady)).toContain('workshop.plugs')
    const sum = (of: (one: Outcome) => number) => outcomes.reduce((all, one) => all + of(one), 0)
    const lost = await lostOf({ saved }, database.query)
    run.figure('restarts', restarts)
    run.figure(
      'answers meanwhile',
      sum(one => one.answers),
    )
    run.figure(
      'of these not 200',
      sum(one => one.answers - (one.statuses[200] ?? 0)),
    )
    run.figure('longest without a saved row, ms', Math.max(...outcomes.map(({ outage }) => outage)))
    run.figure('saved, of these lost', `${saved.length}, ${lost.length}`)
    expect(outcomes.flatMap(({ faults }) => faults)).toEqual([])
    expect(outcomes.flatMap(({ statuses }) => Object.keys(statuses)).filter(status => status !== '200')).toEqual([])
    expect(lost).toEqual([])
    await expectWhole(run, env, programs.new)
  },
)
