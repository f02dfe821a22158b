import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { SignStatus } from '#schemas/dictionaries'
import { Signup } from '#schemas/sign-up/signup'
import { resourceOf } from '../../../crud/lookup.ts'
import { whereOf } from '../../../crud/query.ts'
import type { Query } from '../../../crud/read.ts'
import type { Caller, SignupRow } from '../../../platform/access/server/caller.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { type Ticketed, ticketStateOf } from './ticket-state.ts'

/** Which sign-ups are meant: some by id, or all that a list with these filters shows. */
export interface Selection {
  ids: readonly string[]
  filters: Query
  /** False leaves drafts out. */
  drafts: boolean
}

/** Rows read at a time. */
const batch = 500

/** Large columns, read only for what shows them. */
const heavy = ['content', 'files', 'precheck']
const light = ['id', ...Object.keys(Signup.properties).filter(name => !heavy.includes(name))].map(
  name => `t.${name}` as 't.id',
)

/**
 * The sign-ups of a selection that the caller may see, as a query.
 * @throws input.invalid for a filter that is not understood
 */
function selected(app: FastifyInstance, { db, person }: Caller, { ids, filters, drafts }: Selection) {
  const where = whereOf({ app, person, resource: resourceOf('signup') }, filters)
  return db
    .selectFrom('signup as t')
    .where(where.$castTo<boolean>())
    .$if(ids.length > 0, query => query.where('t.id', 'in', ids))
    .$if(!drafts, query => query.where('t.signStatus', '<>', SignStatus.draft))
}

/** How many sign-ups a selection holds, counted no further than `most`. @throws input.invalid */
export async function countRows(
  app: FastifyInstance,
  caller: Caller,
  selection: Selection,
  most?: number,
): Promise<number> {
  const some = selected(app, caller, selection)
    .select('t.id')
    .$if(most !== undefined, query => query.limit(most ?? 0))
  const { n } = await caller.db
    .selectFrom(some.as('some'))
    .select(eb => eb.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** How many people and bytes of files a selection holds. */
async function sizeOf(app: FastifyInstance, caller: Caller, selection: Selection) {
  const { num, bytes } = await selected(app, caller, selection)
    .select([
      sql<string>`count(*)`.as('num'),
      sql<string>`coalesce(sum((SELECT sum((f ->> 'size')::bigint)
        FROM jsonb_path_query(t.files, '$[*].list[*]') f)), 0)`.as('bytes'),
    ])
    .executeTakeFirstOrThrow()
  return { num: Number(num), bytes: Number(bytes) }
}

/**
 * @returns how many people a selection holds
 * @throws workbook.tooManyRows for more than an archive takes, file.tooLarge for more bytes
 */
export async function checkSize(
  app: FastifyInstance,
  caller: Caller,
  selection: Selection,
  most: { people: number; bytes: number },
): Promise<number> {
  const { num, bytes } = await sizeOf(app, caller, selection)
  if (num > most.people) throw refuse('workbook.tooManyRows', { n: most.people })
  if (bytes > most.bytes) throw refuse('file.tooLarge', { n: most.bytes / 1024, 做法: '' })
  return num
}

/**
 * The rows of a selection in the order of their sign-up numbers, some at a time: memory does not grow with them.
 * @param whole false leaves out the form, the files and the pre-check
 */
export async function* rowsOf(
  app: FastifyInstance,
  caller: Caller,
  selection: Selection,
  whole = true,
): AsyncGenerator<readonly (SignupRow & Ticketed)[]> {
  for (let last = ''; ; ) {
    const query = selected(app, caller, selection)
      .select(ticketStateOf(caller.db, 't.id').as('ticketState'))
      .where('t.signNo', '>', last)
      .orderBy('t.signNo')
      .limit(batch)
    const rows = whole
      ? await query.selectAll('t').execute()
      : ((await query.select(light).execute()) as readonly object[] as readonly (SignupRow & Ticketed)[])
    if (rows.length > 0) yield rows
    if (rows.length < batch) return
    last = rows.at(-1)!.signNo
  }
}
