import { sql } from 'kysely'
import type { ExamDuties } from '#resources/scopes'
import { type Fragment, ident } from '../../../crud/fragment.ts'
import { ownRows, type ScopeContext, type ScopeRule } from '../../../crud/scope-rule.ts'
import { holds } from './appointment.ts'

/** Appointments of a person that hold now and are for one of some duties. */
const appointments = ({ person, now }: ScopeContext, duties: readonly number[]): Fragment =>
  sql`FROM examuser scope_user WHERE scope_user."userId" = ${person.userId} AND ${ownRows(person, 'scope_user')}
    AND ${sql.raw(`scope_user."examRole" IN (${duties.map(Number).join(', ')})`)} AND ${holds('scope_user', now)}`

/** A comma list that holds a value, or is empty and so means all. */
const listed = (list: string, value: string) =>
  sql.raw(`(coalesce(${list}, '') = '' OR ${value} = ANY(string_to_array(${list}, ',')))`)

const firstOf = (alias: string, columns: readonly string[]) =>
  `coalesce(${columns.map(name => `${alias}.${ident(name)}`).join(', ')})`

/** Rows of exams that somebody is appointed to, for a duty that counts for them. */
export const examScope: ScopeRule = ({ field, options }, context) => {
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
