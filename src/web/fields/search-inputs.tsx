import { Input, InputNumber } from 'antd'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import type { Field, Kind } from '#engine'
import { useT } from '../i18n.ts'
import type { RangeProps, Span } from './DateInputs.tsx'
import { DictSelect } from './DictSelect.tsx'
import { fen } from './money.ts'
import { RefSelect } from './RefSelect.tsx'

/** Calendars and levels are large and stand in few lists: they come after the table, and a closed input waits for them. */
const RangeInput = lazy(() => import('./DateInputs.tsx').then(part => ({ default: part.RangeInput })))
const RegionCascader = lazy(() => import('./RegionCascader.tsx').then(part => ({ default: part.RegionCascader })))

/** What an input of the search bar is given. A span holds two ends, everything else one text or number. */
export interface SearchProps {
  readonly id: string
  readonly field: Field
  readonly value: unknown
  readonly onChange: (value: unknown) => void
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

function Number_({ id, value, onChange }: SearchProps) {
  const t = useT()
  return (
    <InputNumber
      id={id}
      style={{ width: '100%' }}
      value={value as number | undefined}
      placeholder={t('请输入')}
      onChange={next => onChange(next ?? undefined)}
    />
  )
}

const Yuan = (props: SearchProps) => (
  <Number_
    {...props}
    value={props.value === undefined ? undefined : Number(props.value) / 100}
    onChange={next => props.onChange(next === undefined ? undefined : fen(Number(next)))}
  />
)

function Later({ id, children }: { id: string; children: ReactNode }) {
  const t = useT()
  return <Suspense fallback={<Input id={id} disabled placeholder={t('加载中')} />}>{children}</Suspense>
}

const Range = (props: RangeProps & { id: string }) => (
  <Later id={props.id}>
    <RangeInput {...props} />
  </Later>
)

const Days = ({ id, value, onChange }: SearchProps) => <Range id={id} value={value as Span} onChange={onChange} />

const Times = ({ id, value, onChange }: SearchProps) => <Range id={id} value={value as Span} onChange={onChange} time />

const Choice = ({ id, field, value, onChange }: SearchProps) => (
  <DictSelect id={id} code={field.dict ?? ''} value={value as string} onChange={onChange} />
)

const Reference = ({ id, field, value, onChange }: SearchProps) => (
  <RefSelect id={id} entity={field.ref ?? ''} value={value as string} onChange={onChange} />
)

const Region = ({ id, value, onChange }: SearchProps) => (
  <Later id={id}>
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
