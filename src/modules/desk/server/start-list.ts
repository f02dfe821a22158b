import type { FastifyInstance } from 'fastify'
import { type AliasableExpression, expressionBuilder, type SqlBool } from 'kysely'
import type { BodyOf } from '#engine'
import { startSteps } from '#resources/start-list'
import { EnableStatus, UserType } from '#schemas/dictionaries'
import { wrongInput } from '../../../crud/input.ts'
import type { Live, LiveDatabase } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import type { StartStep, tickStartStep } from '../contract.ts'

/** What the lists of the first page work with. */
export type DeskApp = Pick<FastifyInstance, 'db' | 'now' | 'vault' | 'extensions' | 'rules' | 'meter'>

/** Stands for the list as a whole where a step is named. */
const wholeList = '*'

const eb = expressionBuilder<LiveDatabase>()

/** Conditions that hold once a step has been done. A step without one is ticked by hand. */
const doneWhen: Readonly<Record<string, (db: Live) => AliasableExpression<SqlBool>>> = {
  organisation: db =>
    eb.exists(
      db
        .selectFrom('dept')
        .select('id')
        .where(dept => dept.or([dept('createUser', 'is not', null), dept('updateUser', 'is not', null)])),
    ),
  // The first of them is whoever sets the installation up.
  staff: db =>
    eb.exists(db.selectFrom('user').select('id').where('userType', '<>', UserType.candidate).limit(1).offset(1)),
  site: db =>
    eb.exists(
      db
        .selectFrom('param')
        .select('id')
        .where('paramKey', 'in', ['site.title', 'site.register'])
        .where('updateUser', 'is not', null),
    ),
  messages: db => eb.exists(db.selectFrom('sms').select('id').where('smsStatus', '=', EnableStatus.enabled)),
  payment: db => eb.exists(db.selectFrom('pay').select('id').where('enable', '=', 1)),
  exam: db => eb.exists(db.selectFrom('examination').select('id')),
}

const codesOf = (person: Person): string[] =>
  startSteps.filter(({ permission }) => person.permissions.has(permission)).map(({ code }) => code)

/** Which of some steps have been done, one column each. */
async function doneOf(db: Live, codes: readonly string[]): Promise<Readonly<Record<string, SqlBool>>> {
  const asked = codes.flatMap(code => doneWhen[code]?.(db).as(code) ?? [])
  return asked.length > 0 ? db.selectNoFrom(asked as never).executeTakeFirstOrThrow() : {}
}

/**
 * The start list of a person who may set the installation up.
 * @returns null when nothing is left to do, when the list was put away, or for people who may do less than half of it
 */
export async function startList(app: DeskApp, person: Person): Promise<StartStep[] | null> {
  const codes = codesOf(person)
  if (codes.length * 2 < startSteps.length) return null
  const db = liveAs(app, person)
  const [done, rows] = await Promise.all([doneOf(db, codes), db.selectFrom('start_step').select('code').execute()])
  const ticks = new Set(rows.map(row => row.code))
  const steps = codes.map(code => ({ code, done: done[code] === true || ticks.has(code), ticked: ticks.has(code) }))
  return ticks.has(wholeList) || steps.every(one => one.done) ? null : steps
}

/**
 * Ticks a step of the start list as done or not needed, or takes the tick back. `*` puts the list away.
 * @throws input.invalid for a step that this person does not have
 */
export async function tickStep(
  app: DeskApp,
  person: Person,
  { code, done }: BodyOf<typeof tickStartStep>,
): Promise<void> {
  const known = code === wholeList ? codesOf(person).length > 0 : codesOf(person).includes(code)
  if (!known) throw wrongInput([{ field: 'code', msg: '没有这一步' }])
  const db = liveAs(app, person)
  if (done)
    await db
      .insertInto('start_step')
      .values({ code, userId: person.userId, time: app.now() })
      .onConflict(clash => clash.doNothing())
      .execute()
  else await db.deleteFrom('start_step').where('code', '=', code).execute()
}
