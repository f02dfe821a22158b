import type { FastifyInstance } from 'fastify'
import type { BodyOf } from '#engine'
import { startSteps } from '#resources/start-list'
import { EnableStatus, UserType } from '#schemas/dictionaries'
import { expression, type Fragment, join, lit, q, raw } from '../../../crud/fragment.ts'
import { wrongInput } from '../../../crud/input.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import type { StartStep, tickStartStep } from '../contract.ts'

/** What the lists of the first page work with. */
export type DeskApp = Pick<FastifyInstance, 'db' | 'now' | 'vault'>

/** Stands for the list as a whole where a step is named. */
const wholeList = '*'

/** Conditions that hold once a step has been done; `tenant` is the tenant's number. A step without one is ticked by hand. */
const doneWhen: Readonly<Record<string, (tenant: string) => Fragment>> = {
  organisation: tenant => q`EXISTS (SELECT 1 FROM dept WHERE "tenantId" = ${tenant} AND "isDeleted" = 0
    AND ("createUser" IS NOT NULL OR "updateUser" IS NOT NULL))`,
  staff: tenant =>
    q`(SELECT count(*) FROM "user" WHERE "tenantId" = ${tenant} AND "isDeleted" = 0 AND "userType" <> ${lit(UserType.candidate)}) > 1`,
  site: tenant => q`EXISTS (SELECT 1 FROM param WHERE "tenantId" = ${tenant} AND "isDeleted" = 0
    AND "paramKey" IN ('site.title', 'site.register') AND "updateUser" IS NOT NULL)`,
  messages: tenant =>
    q`EXISTS (SELECT 1 FROM sms WHERE "tenantId" = ${tenant} AND "isDeleted" = 0 AND "smsStatus" = ${lit(EnableStatus.enabled)})`,
  payment: tenant => q`EXISTS (SELECT 1 FROM pay WHERE "tenantId" = ${tenant} AND "isDeleted" = 0 AND enable = 1)`,
  exam: tenant => q`EXISTS (SELECT 1 FROM examination WHERE "tenantId" = ${tenant} AND "isDeleted" = 0)`,
}

const codesOf = (person: Person): string[] =>
  startSteps.filter(({ permission }) => person.permissions.has(permission)).map(({ code }) => code)

const statement = (code: string, tenant: string): Fragment =>
  q`SELECT ${code}::text AS code, ${doneWhen[code]?.(tenant) ?? raw('false')} AS done,
    EXISTS (SELECT 1 FROM start_step s WHERE s."tenantId" = ${tenant} AND s.code = ${code}) AS ticked,
    EXISTS (SELECT 1 FROM start_step s WHERE s."tenantId" = ${tenant} AND s.code = ${wholeList}) AS away`

/**
 * The start list of a person who may set the installation up.
 * @returns null when nothing is left to do, when the list was put away, or for people who may do less than half of it
 */
export async function startList({ db }: DeskApp, person: Person): Promise<StartStep[] | null> {
  const codes = codesOf(person)
  if (codes.length * 2 < startSteps.length) return null
  const parts = codes.map(code => statement(code, person.tenantId))
  const { rows } = await expression<StartStep & { away: boolean }>(join(parts, ' UNION ALL ')).execute(db)
  const steps = rows.map(({ code, done, ticked }) => ({ code, done: done || ticked, ticked }))
  return rows.some(({ away }) => away) || steps.every(({ done }) => done) ? null : steps
}

/**
 * Ticks a step of the start list as done or not needed, or takes the tick back. `*` puts the list away.
 * @throws input.invalid for a step that this person does not have
 */
export async function tickStep(
  { db, now }: FastifyInstance,
  person: Person,
  { code, done }: BodyOf<typeof tickStartStep>,
): Promise<void> {
  const known = code === wholeList ? codesOf(person).length > 0 : codesOf(person).includes(code)
  if (!known) throw wrongInput([{ field: 'code', msg: '没有这一步' }])
  const { tenantId, userId } = person
  if (done)
    await db
      .insertInto('start_step')
      .values({ tenantId, code, userId, time: now() })
      .onConflict(clash => clash.doNothing())
      .execute()
  else await db.deleteFrom('start_step').where('tenantId', '=', tenantId).where('code', '=', code).execute()
}
