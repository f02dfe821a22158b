import { Tooltip } from 'antd'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import type { CellName, Field, Kind } from '#engine'
import { ticketPictures } from '#schemas/tickets/ticket-pictures'
import { sentence, useT } from '../../platform/i18n/i18n.ts'
import { scrollBox } from '../scroll-stop.ts'
import { DictTag, DictText } from './DictText.tsx'
import type * as ExamCells from './exam-cells.tsx'
import { hardRules } from './hard-rules.ts'
import { yuan } from './money.ts'
import { type CellProps, isEmpty, type WireRow } from './props.ts'
import { shortTime } from './short-time.ts'
import { shownName } from './shown-name.ts'

const Plain = ({ value }: CellProps) => <>{String(value)}</>

const Digits = ({ value }: CellProps) => <span style={{ fontVariantNumeric: 'tabular-nums' }}>{String(value)}</span>

/** A time: short in a table, whole when pointed at and in a detail. */
function Moment({ value, where }: CellProps) {
  useT()
  const text = String(value)
  return (
    <time title={where === 'table' ? text : undefined} style={{ fontVariantNumeric: 'tabular-nums' }}>
      {where === 'table' ? shortTime(text) : text}
    </time>
  )
}

const code = { margin: 0, whiteSpace: 'pre-wrap', fontSize: 12.5 } as const

/** What programs write: structured data, markup, or the trace of an error. */
const looksLikeCode = /^\s*[[{<]|\n\s+at /

/** What may be cut by its column, whole on hover. What says it whole is made when somebody points there. */
function Cut({ text }: { text: string }) {
  const [isMet, meet] = useState(false)
  const words = <span onPointerEnter={() => meet(true)}>{text}</span>
  return isMet ? (
    <Tooltip title={text} defaultOpen>
      {words}
    </Tooltip>
  ) : (
    words
  )
}

/** Long text: one line with the rest on hover in a table, everything with its line breaks in a detail. */
function LongText({ field, value, where }: CellProps) {
  const t = useT()
  const text = String(value)
  if (where === 'detail' && looksLikeCode.test(text))
    return (
      <section ref={scrollBox} aria-label={t(field.title)} style={{ maxHeight: 480, overflow: 'auto' }}>
        <pre style={code}>{text}</pre>
      </section>
    )
  if (where === 'detail') return <span style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</span>
  return <Cut text={text} />
}

/** A cell that few lists have: it comes after them. */
function later(load: () => Promise<{ default: ComponentType<CellProps> }>): ComponentType<CellProps> {
  const Later = lazy(load)
  return props => (
    <Suspense fallback={null}>
      <Later {...props} />
    </Suspense>
  )
}

const Money = ({ value }: CellProps) => <span style={{ fontVariantNumeric: 'tabular-nums' }}>¥{yuan(value)}</span>

const Words = ({ field, value }: CellProps) => <DictText code={field.dict ?? ''} value={value} />

const StateTag = ({ field, value }: CellProps) => <DictTag code={field.dict ?? ''} value={value} />

/** A reference by the name that the row carries beside it. */
function Named({ field, name, value, row }: CellProps) {
  useT()
  return <>{shownName(field.ref, String(row[`${name}Name`] || value))}</>
}

const FileLink = lazy(async () => ({ default: (await import('./FileLink.tsx')).FileLink }))

/** A file to save. Few lists have one: its button comes after them. */
const Attachment = ({ value }: CellProps) => (
  <Suspense fallback={null}>
    <FileLink id={String(value)} />
  </Suspense>
)

const Structure = ({ value, where }: CellProps) =>
  where === 'detail' ? (
    <pre style={{ margin: 0, whiteSpace: 'pre-wrap' }}>{JSON.stringify(value, null, 2)}</pre>
  ) : (
    <code>{JSON.stringify(value)}</code>
  )

const Hidden = () => <>••••••</>

/** How each kind of field is shown. */
export const cells: Readonly<Record<Kind, ComponentType<CellProps>>> = {
  text: Plain,
  longText: LongText,
  richText: later(() => import('./RichTextCell.tsx')),
  integer: Digits,
  decimal: Digits,
  money: Money,
  flag: Words,
  date: Digits,
  dateTime: Moment,
  dict: Words,
  dicts: Words,
  state: StateTag,
  ref: Named,
  refs: Named,
  region: Named,
  image: later(() => import('./PictureCell.tsx')),
  file: Attachment,
  json: Structure,
  sealed: Digits,
  secret: Hidden,
}

function WordList({ words, keys }: { words: Readonly<Record<string, string>>; keys: readonly string[] }) {
  const t = useT()
  return <>{keys.map(key => t(words[key] ?? key)).join('、')}</>
}

/** What the server says, in the language in use where it has English; what others say stays as it came. */
const Sentence = ({ value }: CellProps) => {
  useT()
  return <>{sentence(String(value))}</>
}

const CopyButton = lazy(() => import('./CopyText.tsx'))

/** A text that people take along, such as an address to send to somebody. Few lists have one: its button comes after them. */
const CopyText = ({ value }: CellProps) => (
  <Suspense fallback={String(value)}>
    <CopyButton>{String(value)}</CopyButton>
  </Suspense>
)

const ExpenseItems = lazy(() => import('./ExpenseItems.tsx'))

/** The outlays of a claim; in a line only how many. */
const Outlays = ({ value, where }: CellProps) => {
  const items = Array.isArray(value) ? value : []
  if (where === 'table') return items.length
  return (
    <Suspense fallback={null}>
      <ExpenseItems of={items} />
    </Suspense>
  )
}

const JobGraph = lazy(() => import('./JobGraph.tsx'))

/** The nodes of a workflow of jobs, drawn; in a line only how many. */
const Graph = ({ field, value, where }: CellProps) => {
  const nodes = Array.isArray(value) ? value : []
  if (where === 'table') return nodes.length
  return (
    <Suspense fallback={null}>
      <JobGraph title={field.title} nodes={nodes} />
    </Suspense>
  )
}

/** A cell of lists of exams, and of what belongs to them. */
const examCell = (name: keyof typeof ExamCells) =>
  later(async () => ({ default: (await import('./exam-cells.tsx'))[name] }))

/** Cells a definition asks for by name (`as`). */
const namedCells: Readonly<Record<CellName, ComponentType<CellProps>>> = {
  tag: StateTag,
  phases: examCell('Phases'),
  windows: later(() => import('./StageLine.tsx')),
  deadline: examCell('NearestDeadline'),
  heat: examCell('Heat'),
  left: examCell('TimeLeft'),
  ofCapacity: examCell('OfCapacity'),
  move: examCell('StageState'),
  reached: examCell('Reached'),
  scopeNames: examCell('ScopeNames'),
  link: later(async () => ({ default: (await import('./OutsideLink.tsx')).OutsideLink })),
  copy: CopyText,
  owner: later(async () => ({ default: (await import('./OwnerLink.tsx')).OwnerLink })),
  deed: later(() => import('./Deed.tsx')),
  sentence: Sentence,
  events: later(() => import('./EventNames.tsx')),
  parameter: later(async () => ({ default: (await import('./ParameterText.tsx')).ParameterText })),
  hardRules: ({ value }) => <WordList words={hardRules} keys={Array.isArray(value) ? value : []} />,
  expenseItems: Outlays,
  jobGraph: Graph,
  ticketPics: ({ value }) => <WordList words={ticketPictures} keys={String(value).split(',')} />,
}

interface Props {
  field: Field
  name: string
  row: WireRow
  where: 'table' | 'detail'
  /** A cell by name instead of the kind's own. */
  as?: CellName
}

/** One field of a row as people read it. A missing value is a dash. */
export function Cell({ field, name, row, where, as }: Props) {
  const value = row[name]
  if (field.kind === 'secret') return <Hidden />
  if (isEmpty(value)) return <span style={{ color: 'var(--jx-ink-3)' }}>—</span>
  const Chosen = as ? namedCells[as] : cells[field.kind]
  return <Chosen field={field} name={name} value={value} row={row} where={where} />
}
