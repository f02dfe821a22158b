import { CalendarOutlined, DownOutlined, SwapRightOutlined } from '@ant-design/icons'
import type { ComponentType } from 'react'
import type { Field, Kind } from '#engine'
import { useT } from '../i18n.ts'
import type { Span } from './DateInputs.tsx'
import { DictSelect } from './DictSelect.tsx'
import { Later } from './Later.tsx'
import { fen } from './money.ts'
import { PlainInput as Input } from './PlainInput.ts'
import { RefSelect } from './RefSelect.tsx'

/** Large, and seldom needed: these come when somebody wants them. */
const loadNumber = () => import('./NumberInput.tsx')
const loadDates = () => import('./DateInputs.tsx')
const loadRegions = () => import('./RegionCascader.tsx')

/** What an input of the search bar is given. A span holds two ends, everything else one text or number. */
export interface SearchProps {
  readonly id: string
  readonly field: Field
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  /** True when somebody has unfolded the bar: what is large comes without being touched. */
  readonly isOpen?: boolean
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

function Number_({ id, isOpen = false, value, onChange }: SearchProps) {
  const t = useT()
  const text = value === undefined ? undefined : String(value)
  return (
    <Later load={loadNumber} now={isOpen || Boolean(text)} lines={[{ id, placeholder: t('请输入'), text }]}>
      {({ NumberInput }) => <NumberInput id={id} value={value as number | undefined} onChange={onChange} />}
    </Later>
  )
}

const Yuan = (props: SearchProps) => (
  <Number_
    {...props}
    value={props.value === undefined ? undefined : Number(props.value) / 100}
    onChange={next => props.onChange(next === undefined ? undefined : fen(Number(next)))}
  />
)

function Range({ id, isOpen = false, value, onChange, time }: SearchProps & { time?: boolean }) {
  const t = useT()
  const [from, to] = (value as Span | undefined) ?? []
  return (
    <Later
      load={loadDates}
      now={isOpen || Boolean(from || to)}
      lines={[
        { id, placeholder: t('开始'), text: from?.slice(0, 10) },
        { id: `${id}-end`, placeholder: t('结束'), text: to?.slice(0, 10) },
      ]}
      between={<SwapRightOutlined aria-hidden />}
      icon={<CalendarOutlined aria-hidden />}
    >
      {({ RangeInput }) => <RangeInput id={id} value={value as Span | undefined} onChange={onChange} time={time} />}
    </Later>
  )
}

const Days = (props: SearchProps) => <Range {...props} />
const Times = (props: SearchProps) => <Range {...props} time />

const Choice = ({ id, field, value, onChange }: SearchProps) => (
  <DictSelect id={id} code={field.dict ?? ''} value={value as string} onChange={onChange} />
)

const Reference = ({ id, field, value, onChange }: SearchProps) => (
  <RefSelect id={id} entity={field.ref ?? ''} value={value as string} onChange={onChange} />
)

function Region({ id, isOpen = false, value, onChange }: SearchProps) {
  const t = useT()
  return (
    <Later
      load={loadRegions}
      now={isOpen || Boolean(value)}
      lines={[{ id, placeholder: t('请选择') }]}
      icon={<DownOutlined aria-hidden />}
    >
      {({ RegionCascader }) => <RegionCascader id={id} value={value as string | undefined} onChange={onChange} />}
    </Later>
  )
}

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
