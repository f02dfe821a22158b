import { type RawBuilder, sql } from 'kysely'
import { type Entity, type Field, type Keep, tableOf } from '#engine'
import { entities } from '#schemas'
import { Auditlog } from '#schemas/audit/auditlog'
import { keeping } from '#schemas/keeping'
import { Attach } from '#schemas/resource/attach'
import { Event } from '#schemas/system/event'
import { Exporttask } from '#schemas/workbook/exporttask'
import { hasContent } from '../../../../platform/audit/server/audit-chain.ts'
import { wireDay } from '../../../../platform/http/server/wire.ts'
import { keptUntil } from '../../rules/kept-until.ts'
import { blankedFields, fileId, heldFields, holds, isAbout } from '../erasing.ts'

/** One kind of data of an exam, and what becomes of it when its time is over. */
export interface PurgePart {
  readonly entity: Entity
  /** Names of the fields that go; empty where whole rows do. */
  readonly names: readonly string[]
  readonly deed: 'erase' | 'blank' | 'stay'
  readonly keep: Keep
}

/** What an erasure knows of its exam. */
export interface PurgedExam {
  readonly id: string
  readonly tenantId: string
  readonly archiveTime: Date | null
  readonly examEndTime: Date | null
}

const all = entities as readonly Entity[]
const entityNamed = (name: string | undefined) => all.find(one => one.name === name)

const isOfExam = ({ name, properties }: Entity): boolean =>
  name !== 'datapurge' && name !== 'datahold' && properties.examId?.ref === 'examination'

/** The field through which rows of an entity belong to an exam: their own, or one that refers to rows that do. */
function wayOf(entity: Entity): readonly [field: string, to: Entity | null] | null {
  if (isOfExam(entity)) return ['examId', null]
  const fields = Object.entries<Field>(entity.properties).filter(([, { ref }]) => ref !== undefined)
  const first = fields.toSorted(([one], [other]) => Number(other === entity.about) - Number(one === entity.about))
  for (const [field, { ref }] of first) {
    const to = entityNamed(ref)
    if (to && to !== entity && isOfExam(to)) return [field, to]
  }
  const above = entity.about && entity.about !== 'id' ? entityNamed(entity.properties[entity.about]?.ref) : undefined
  return above && above !== entity && wayOf(above) ? [entity.about as string, above] : null
}

/** SQL that is true for rows of an entity, called by a name, that belong to an exam. */
function ofExam(entity: Entity, as: string, examId: string): RawBuilder<boolean> {
  const [field, to] = wayOf(entity) as readonly [string, Entity | null]
  if (!to) return sql<boolean>`${sql.ref(`${as}.${field}`)} = ${examId}`
  return sql<boolean>`${sql.ref(`${as}.${field}`)} IN
    (SELECT up.id FROM ${sql.table(tableOf(to.name))} up WHERE ${ofExam(to, 'up', examId)})`
}

const about = all.filter(one => one.about !== null && one.name !== 'auditlog' && wayOf(one) !== null)
const tellingOf = all.filter(one => one.about === null && wayOf(one) !== null && blankedFields(one).length > 0)

const sameKeep = (one: Keep, other: Keep): boolean => one.from === other.from && one.months === other.months

function partsOf(entity: Entity): PurgePart[] {
  const own = entity.keep as Keep
  if (own?.then === 'erase') return [{ entity, names: [], deed: 'erase', keep: own }]
  const parts: PurgePart[] = []
  for (const name of blankedFields(entity)) {
    const keep = entity.properties[name]?.keep ?? own
    const at = parts.findIndex(one => sameKeep(one.keep, keep))
    const part = parts[at]
    if (part) parts[at] = { ...part, names: [...part.names, name] }
    else parts.push({ entity, names: [name], deed: 'blank', keep })
  }
  const held = heldFields(entity)
  if (own?.then === 'stay' && held.length > 0) parts.push({ entity, names: held, deed: 'blank', keep: own })
  const stays = own?.then === 'stay' && entity.about !== null
  return stays ? [...parts, { entity, names: [], deed: 'stay', keep: own }] : parts
}

/** Events, entries of the security log and exports: what the program keeps of an exam beside its rows. */
const traces: readonly PurgePart[] = [
  { entity: Event, names: ['facts'], deed: 'blank', keep: keeping.form },
  { entity: Auditlog, names: ['detail'], deed: 'blank', keep: keeping.details },
  { entity: Exporttask, names: ['fileId', 'params'], deed: 'blank', keep: keeping.form },
]

/** The files that all of it names. */
export const filePart: PurgePart = { entity: Attach, names: [], deed: 'erase', keep: keeping.form }

const found = [...about, ...tellingOf].flatMap(partsOf)

/** Every kind of data of an exam that goes when its time is over. */
export const purgeParts: readonly PurgePart[] = [...found.filter(one => one.deed !== 'stay'), ...traces]
/** Every kind that stays by law. */
export const stayingParts: readonly PurgePart[] = found.filter(one => one.deed === 'stay')

/** The part that a line of an erasure is about. */
export const partOf = ({ part, fieldNames, deed }: { part: string; fieldNames: string | null; deed: string }) =>
  [...purgeParts, ...stayingParts, filePart].find(
    one => one.entity.name === part && one.deed === deed && one.names.join(',') === (fieldNames ?? ''),
  )

/** That the time is over on a day for which everything of an exam is kept that this says; never for what ends by itself. */
export function isOver({ keep }: PurgePart, exam: PurgedExam, day: Date): boolean {
  const until = keptUntil(keep, { archive: exam.archiveTime, day: exam.examEndTime, end: null })
  return until !== '' && until < wireDay(day)
}

/** SQL that is true for a row `t` whose time is over on a day. What nobody is told the day of ends with its last change. */
function isDue(part: PurgePart, exam: PurgedExam, day: Date): RawBuilder<boolean> {
  const { entity, keep } = part
  if (keep.from === 'end') {
    const end = entity.about ? sql`t."createTime"` : sql`t."updateTime"`
    return sql<boolean>`${end} + make_interval(months => ${sql.lit(keep.months)}) < ${day}`
  }
  return isOver(part, exam, day) ? sql<boolean>`TRUE` : sql<boolean>`FALSE`
}

const texts = (entity: Entity, examId: string) =>
  sql`SELECT x.id::text FROM ${sql.table(tableOf(entity.name))} x WHERE ${ofExam(entity, 'x', examId)}`

/** Entries of the security log about rows of an exam, their files, and exports of it. */
function audited({ id, tenantId }: PurgedExam): RawBuilder<boolean> {
  const rows = [...about, ...tellingOf].map(entity => [entity.name, texts(entity, id)] as const)
  const files = sql`SELECT a.id::text FROM attach a WHERE a."ownerType" IN ('signup', 'photo', 'ticketpic')
    AND a."ownerId" IN (SELECT s.id::text FROM signup s WHERE s."examId" = ${id})`
  const exported = sql`(t.event = 'export' AND t.detail->'params'->>'examId' = ${id})`
  return sql<boolean>`${hasContent(tenantId)} AND (${isAbout([...rows, ['attach', files]])} OR ${exported})`
}

/** SQL that is true for a row `t` of a part that is to go on a day and is still there. */
export function isLeft(part: PurgePart, exam: PurgedExam, day: Date): RawBuilder<boolean> {
  const { entity, deed, names } = part
  const due = isDue(part, exam, day)
  if (entity.name === 'auditlog') return sql<boolean>`${due} AND ${audited(exam)}`
  if (entity.name === 'exporttask')
    return sql<boolean>`${due}
      AND (t.params->>'examId' = ${exam.id} OR t.params#>>'{filters,examId}' = ${exam.id})
      AND (t."fileId" IS NOT NULL OR t.params - '{examId,sort}'::text[] <> '{}'::jsonb)`
  const own = sql<boolean>`${due} AND ${ofExam(entity, 't', exam.id)}`
  return deed === 'blank' && entity.name !== 'event' ? sql<boolean>`${own} AND ${holds(entity, names)}` : own
}

/** SQL that is true for a row `t` of an entity that belongs to an exam. */
export const belongs = ({ entity }: PurgePart, { id }: PurgedExam): RawBuilder<boolean> => ofExam(entity, 't', id)

/** Fields of a part that name files. */
const fileFields = ({ entity, names, deed }: PurgePart) =>
  Object.entries<Field>(entity.properties).filter(
    ([name, { kind, ref }]) =>
      (deed === 'erase' || names.includes(name)) &&
      (kind === 'image' || kind === 'file' || kind === 'json' || ref === 'attach'),
  )

/** SQL of the ids of files that rows name which are to go. */
export function namedFiles(exam: PurgedExam, day: Date): RawBuilder<unknown> {
  const named = purgeParts.flatMap(part =>
    fileFields(part).map(([name, { kind }]) => {
      const from = sql`${sql.table(tableOf(part.entity.name))} t`
      const at = sql.ref(`t.${name}`)
      const where = isLeft(part, exam, day)
      if (kind !== 'json') return sql`SELECT ${at}::text AS id FROM ${from} WHERE ${at} IS NOT NULL AND ${where}`
      return sql`SELECT f.value#>>'{}' AS id FROM ${from}, jsonb_path_query(${at}, '$.**.attachId') f(value) WHERE ${where}`
    }),
  )
  return sql`SELECT DISTINCT named.id::bigint FROM (${sql.join(named, sql` UNION ALL `)}) named WHERE named.id ~ ${fileId}`
}

/** Every column of the definitions that holds the id of a file. */
const columns = all.flatMap(entity =>
  Object.entries<Field>(entity.properties).flatMap(([name, { kind, ref }]) =>
    kind === 'image' || kind === 'file' || ref === 'attach' ? [{ entity, name }] : [],
  ),
)

/**
 * SQL that is true for a file `a` that something names which stays.
 * @param day the day of an erasure that has not been done: what it will empty does not count
 */
export function isInUse(exam: PurgedExam, day: Date | null): RawBuilder<boolean> {
  const uses = columns.map(({ entity, name }) => {
    const parts = day
      ? purgeParts.filter(one => one.entity === entity && fileFields(one).some(([field]) => field === name))
      : []
    const goes = parts.map(part => sql`(${isLeft(part, exam, day as Date)}) IS TRUE`)
    const stays = goes.length > 0 ? sql`AND NOT (${sql.join(goes, sql` OR `)})` : sql``
    return sql`EXISTS (SELECT 1 FROM ${sql.table(tableOf(entity.name))} t WHERE ${sql.ref(`t.${name}`)} = a.id ${stays})`
  })
  const elsewhere = sql`(a."ownerType" IN ('signup', 'photo') AND EXISTS
    (SELECT 1 FROM signup s WHERE s.id::text = a."ownerId" AND s."examId" <> ${exam.id}))`
  return sql<boolean>`(${sql.join([...uses, elsewhere], sql` OR `)})`
}
