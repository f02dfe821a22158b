import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import type { Field, Kind } from '#engine'
import { useT } from '../i18n.ts'
import type { Span } from './DateInputs.tsx'
import { DictSelect } from './DictSelect.tsx'
import { fen } from './money.ts'
import { PlainInput as Input } from './PlainInput.ts'
import { RefSelect } from './RefSelect.tsx'

/** Large, and never needed at once: these come after the rows, and a closed input keeps their place. */
const NumberInput = lazy(() => import('./NumberInput.tsx'))
const RangeInput = lazy(() => import('./DateInputs.tsx').then(part => ({ default: part.RangeInput })))
const RegionCascader = lazy(() => import('./RegionCascader.tsx').then(part => ({ default: part.RegionCascader })))

/** What an input of the search bar is given. A span holds two ends, everything else one text or number. */
export interface SearchProps {
  readonly id: string
  readonly field: Field
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  /** True while the rows are on their way: what is large waits for them. */
  readonly hold?: boolean
}

function Later({ id, hold, children }: Pick<SearchProps, 'id' | 'hold'> & { children: ReactNode }) {
  const t = useT()
  const closed = <Input id={id} disabled placeholder={t('加载中')} />
  return hold ? closed : <Suspense fallback={closed}>{children}</Suspense>
}

function Words({ id, value, onChange, field }: SearchProps) {
  const t = useT()
  return (
    <Input
      id={id}
      allowClear
      value={(value as string | undefined) ?? ''}
      placeholder={t('请输入')}
      maxLength={field.maxLength ?? 100}
      onChange={event => onChange(event.target.value || undefined)}
    />
  )
}

const Number_ = ({ id, hold, value, onChange }: SearchProps) => (
  <Later id={id} hold={hold}>
    <NumberInput id={id} value={value as number | undefined} onChange={onChange} />
  </Later>
)

const Yuan = (props: SearchProps) => (
  <Number_
    {...props}
    value={props.value === undefined ? undefined : Number(props.value) / 100}
    onChange={next => props.onChange(next === undefined ? undefined : fen(Number(next)))}
  />
)

const Days = ({ id, hold, value, onChange }: SearchProps) => (
  <Later id={id} hold={hold}>
    <RangeInput id={id} value={value as Span} onChange={onChange} />
  </Later>
)

const Times = ({ id, hold, value, onChange }: SearchProps) => (
  <Later id={id} hold={hold}>
    <RangeInput id={id} value={value as Span} onChange={onChange} time />
  </Later>
)

const Choice = ({ id, field, value, onChange }: SearchProps) => (
  <DictSelect id={id} code={field.dict ?? ''} value={value as string} onChange={onChange} />
)

const Reference = ({ id, field, value, onChange }: SearchProps) => (
  <RefSelect id={id} entity={field.ref ?? ''} value={value as string} onChange={onChange} />
)

const Region = ({ id, hold, value, onChange }: SearchProps) => (
  <Later id={id} hold={hold}>
    <RegionCascader id={id} value={value as string} onChange={onChange} />
  </Later>
)

/** How each kind of field is searched; `null` for what cannot be. */
export const searchInputs: Readonly<Record<Kind, ComponentType<SearchProps> | null>> = {
  text: Words,
  longText: Words,
  richText: Words,
  integer: Number_,
  decimal: Number_,
  money: Yuan,
  flag: Choice,
  date: Days,
  dateTime: Times,
  dict: Choice,
  dicts: Choice,
  state: Choice,
  ref: Reference,
  refs: Reference,
  region: Region,
  image: null,
  file: null,
  json: null,
  sealed: Words,
  secret: null,
}
