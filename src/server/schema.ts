import { entities } from '#schemas'
import { tablesOf } from '../crud/table.ts'
import { readConfig } from '../platform/config/config.ts'
import { openWorkPool } from '../platform/database/database.ts'
import { openEmbedded } from '../platform/database/embedded/embedded.ts'
import { connectionTo } from '../platform/database/hosts.ts'
import {
  dropUnused,
  migrate,
  type Outcome,
  planSchema,
  type SchemaPlan,
  sentence,
} from '../platform/database/migrate.ts'
import { restingClasses } from '../platform/database/plan.ts'

// Compares the database with the definitions: `npm run schema -- plan` tells what differs, with the statements that a start
// would send; `-- check` tells the same without them; `-- apply` does it. Ends with 2 when something is to be done, with 1 when
// somebody must decide first.

const usage = [
  'npm run schema -- plan             what differs between the database and the definitions, and the SQL that a start sends',
  'npm run schema -- check            the same without SQL; ends with 0 when nothing is to be done',
  'npm run schema -- apply            does it, as a start does',
  'npm run schema -- apply --drop     and drops the columns and tables that hold nothing and that no definition asks for any more',
  'npm run schema -- apply --older    does it although a newer program has changed the tables since',
].join('\n')

const saidOf: Record<Outcome, string> = {
  changed: 'The database is as the definitions say.',
  same: 'Nothing was to be done.',
  newer:
    'Nothing was done: a newer program has changed the tables, and this one can work with them. `--older` brings them back to its definitions.',
}

const [command = '', ...rest] = process.argv.slice(2)

/** Tells a plan and answers how the program ends. */
function tell({ files, differences }: SchemaPlan, withSql: boolean): number {
  if (rest.includes('--json')) console.log(JSON.stringify({ files, differences }, null, 2))
  else {
    for (const name of files) console.log(`file     ${name}.sql is to run; the lines below are as it is without it`)
    for (const one of differences) {
      console.log(`${one.class.padEnd(8)} ${sentence(one)}`)
      if (withSql) for (const sql of one.sql) console.log(`${sql.replaceAll(/^/gm, '         ')};`)
    }
  }
  const isToDo = files.length > 0 || differences.some(one => one.class === 'open' || !restingClasses.has(one.class))
  if (!isToDo && !rest.includes('--json')) console.log('The database is as the definitions say.')
  if (differences.some(one => one.class === 'refused')) return 1
  return isToDo ? 2 : 0
}

async function run(): Promise<number> {
  const config = readConfig()
  const isKnown = ['plan', 'check', 'apply'].includes(command)
  if (!isKnown || config.bladeApi) {
    console.log(isKnown ? 'This installation is a gateway and has no database.' : usage)
    return 1
  }
  const embedded = config.databaseUrl ? undefined : await openEmbedded(config.dataDir)
  const url = config.databaseDirectUrl ?? config.databaseUrl
  const connecting = url ? connectionTo(url) : undefined
  const pool = openWorkPool(connecting?.options ?? embedded?.connection ?? {})
  const tables = tablesOf(entities)
  try {
    await connecting?.ready({ tell: console.error })
    if (command !== 'apply') return tell(await planSchema(pool, tables), command === 'plan')
    const evenOlder = rest.includes('--older')
    const outcome = await migrate(pool, tables, { evenOlder, tell: one => console.log(`open     ${sentence(one)}`) })
    console.log(saidOf[outcome])
    if (rest.includes('--drop'))
      for (const one of await dropUnused(pool, tables)) console.log(`dropped  ${sentence(one)}`)
    return 0
  } finally {
    await pool.end()
    connecting?.end()
    await embedded?.close()
  }
}

try {
  process.exitCode = await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
