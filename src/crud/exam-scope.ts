import { sql } from 'kysely'
import type { NamedScope } from '#engine'
import type { ExamDuties } from '#resources/scopes'
import type { Person } from '../platform/http/server/access.ts'
import { holds } from './appointment.ts'
import { type Fragment, ident } from './fragment.ts'

/** What somebody is about to do with the rows: meet them, or change them. */
export type Purpose = 'meet' | 'change'

/** Who asks, for what, and how the table is called in the statement. */
export interface ScopeContext {
  readonly person: Person
  readonly now: Date
  readonly alias: string
  readonly purpose: Purpose
  /** How many other rows lie between the table and this one. */
  readonly depth: number
}

/** Appointments of a person that hold now and are for one of some duties. */
const appointments = ({ person, now }: ScopeContext, duties: readonly number[]): Fragment =>
  sql`FROM examuser scope_user WHERE scope_user."userId" = ${person.userId} AND scope_user."tenantId" = ${person.tenantId}
    AND ${sql.raw(`scope_user."examRole" IN (${duties.map(Number).join(', ')})`)} AND ${holds('scope_user', now)}`

/** A comma list that holds a value, or is empty and so means all. */
const listed = (list: string, value: string) =>
  sql.raw(`(coalesce(${list}, '') = '' OR ${value} = ANY(string_to_array(${list}, ',')))`)

const firstOf = (alias: string, columns: readonly string[]) =>
  `coalesce(${columns.map(name => `${alias}.${ident(name)}`).join(', ')})`

/** Rows of exams that somebody is appointed to, for a duty that counts for them. */
export function examScope({ field, options }: NamedScope, context: ScopeContext): Fragment {
  const { meet, change = meet, limited } = options as ExamDuties
  const { alias, purpose } = context
  const column = sql.raw(`${alias}.${ident(field)}`)
  const own = appointments(context, purpose === 'change' ? change : meet)
  if (!limited) return sql`${column} IN (SELECT scope_user."examId" ${own})`
  const unit = listed('scope_user.units', firstOf(alias, limited.unit))
  const code = listed('scope_user.codes', firstOf(alias, limited.code))
  const whole = sql.raw(`scope_user."examRole" NOT IN (${limited.duties.map(Number).join(', ')})`)
  return sql`EXISTS (SELECT 1 ${own} AND scope_user."examId" = ${column} AND (${whole} OR (${unit} AND ${code})))`
}
