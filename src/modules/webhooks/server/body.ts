import type { DomainEvent, Facts, Field } from '#engine'
import { domainEvents } from '#resources/events'

/** What is told of an event. */
interface Told {
  readonly code: string
  readonly tenantId: string
  readonly examId: string | null
  readonly subjectId: string
  readonly facts: unknown
  readonly createTime: Date
}

const fieldOf = ({ entity, data }: DomainEvent, name: string): Field | undefined =>
  data[name] ?? (entity.properties as Readonly<Record<string, Field>>)[name]

/** Kinds of values that cannot tell who somebody is: no texts, whoever has written them. */
const plain: ReadonlySet<string> = new Set([
  'integer',
  'decimal',
  'money',
  'flag',
  'date',
  'dateTime',
  'dict',
  'dicts',
  'state',
  'ref',
  'refs',
] satisfies Field['kind'][])

/** Of the facts of an event those that may leave: numbers, times, states and ids, and texts that are one of a few keys. */
function outside(event: DomainEvent, facts: Facts): Facts {
  const isOpen = (name: string) => event.phrases?.[name] !== undefined || plain.has(fieldOf(event, name)?.kind ?? '')
  return Object.fromEntries(Object.entries(facts).filter(([name]) => isOpen(name)))
}

/** The body that receivers get of an event: which row something happened to, and what of it is no text. Who needs more asks for the row. */
export function bodyOf({ code, tenantId, examId, subjectId, facts, createTime }: Told): string {
  const event = domainEvents.get(code)
  const data = {
    resource: code.slice(0, code.indexOf('.')),
    id: subjectId,
    fields: event ? outside(event, (facts ?? {}) as Facts) : {},
  }
  return JSON.stringify({ type: code, timestamp: createTime.toISOString(), tenant: tenantId, exam: examId, data })
}
