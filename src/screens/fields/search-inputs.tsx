import { CalendarOutlined, DownOutlined, SwapRightOutlined } from '@ant-design/icons'
import { Input } from 'antd'
import type { ComponentType } from 'react'
import type { Field, Kind, SearchBy } from '#engine'
import { useT } from '../../platform/i18n/i18n.ts'
import type { Span } from './DateInputs.tsx'
import { DictSelect } from './DictSelect.tsx'
import { LazyInput } from './LazyInput.tsx'
import { fen } from './money.ts'
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
    <LazyInput load={loadNumber} now={isOpen || Boolean(text)} lines={[{ id, placeholder: t('请输入'), text }]}>
      {({ NumberInput }) => <NumberInput id={id} value={value as number | undefined} onChange={onChange} />}
    </LazyInput>
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
    <LazyInput
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
    </LazyInput>
  )
}

const Days = (props: SearchProps) => <Range {...props} />
const Times = (props: SearchProps) => <Range {...props} time />

/** One day. */
function Day({ id, isOpen = false, value, onChange, field }: SearchProps) {
  const t = useT()
  const text = value as string | undefined
  return (
    <LazyInput
      load={loadDates}
      now={isOpen || Boolean(text)}
      lines={[{ id, placeholder: t('请选择'), text }]}
      icon={<CalendarOutlined aria-hidden />}
    >
      {({ DateInput }) => <DateInput id={id} field={field} name={id} value={text} onChange={onChange} />}
    </LazyInput>
  )
}

/** Two numbers; each end may be open. */
function Numbers({ id, isOpen = false, value, onChange, scale = 1 }: SearchProps & { scale?: number }) {
  const t = useT()
  const [from, to] = (value as readonly unknown[] | undefined) ?? []
  const shown = (end: unknown) => (end === undefined || end === null || end === '' ? undefined : Number(end) / scale)
  const ends = [shown(from), shown(to)]
  const set = (at: 0 | 1, next: number | undefined): void => {
    const wanted = ends.with(at, next).map(end => (end === undefined ? undefined : Math.round(end * scale * 1e4) / 1e4))
    onChange(wanted.every(end => end === undefined) ? undefined : wanted)
  }
  return (
    <LazyInput
      load={loadNumber}
      now={isOpen || ends.some(end => end !== undefined)}
      lines={[
        { id, placeholder: t('最小'), text: ends[0] === undefined ? undefined : String(ends[0]) },
        { id: `${id}-end`, placeholder: t('最大'), text: ends[1] === undefined ? undefined : String(ends[1]) },
      ]}
      between={<SwapRightOutlined aria-hidden />}
    >
      {({ NumberInput }) => (
        <div className="search-span">
          <NumberInput id={id} value={ends[0]} placeholder={t('最小')} onChange={next => set(0, next)} />
          <SwapRightOutlined aria-hidden />
          <NumberInput
            id={`${id}-end`}
            label={t('最大')}
            value={ends[1]}
            placeholder={t('最大')}
            onChange={next => set(1, next)}
          />
        </div>
      )}
    </LazyInput>
  )
}
const Amounts = (props: SearchProps) => <Numbers {...props} scale={100} />

/** Lists to choose from come with the page, but not all of them are drawn before somebody wants one. */
const select = { DictSelect, RefSelect }
const drawSelect = async () => select

function Choice({ id, field, isOpen = false, value, onChange }: SearchProps) {
  const t = useT()
  return (
    <LazyInput
      load={drawSelect}
      now={isOpen || value !== undefined}
      lines={[{ id, placeholder: t('请选择') }]}
      icon={<DownOutlined aria-hidden />}
    >
      {({ DictSelect }) => <DictSelect id={id} code={field.dict ?? ''} value={value as string} onChange={onChange} />}
    </LazyInput>
  )
}

function Reference({ id, field, isOpen = false, value, onChange }: SearchProps) {
  const t = useT()
  return (
    <LazyInput
      load={drawSelect}
      now={isOpen || value !== undefined}
      lines={[{ id, placeholder: t('请选择') }]}
      icon={<DownOutlined aria-hidden />}
    >
      {({ RefSelect }) => <RefSelect id={id} entity={field.ref ?? ''} value={value as string} onChange={onChange} />}
    </LazyInput>
  )
}

function Region({ id, isOpen = false, value, onChange }: SearchProps) {
  const t = useT()
  return (
    <LazyInput
      load={loadRegions}
      now={isOpen || Boolean(value)}
      lines={[{ id, placeholder: t('请选择') }]}
      icon={<DownOutlined aria-hidden />}
    >
      {({ RegionCascader }) => <RegionCascader id={id} value={value as string | undefined} onChange={onChange} />}
    </LazyInput>
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

/** The input of a field in the search bar; `way` is how the list says it is searched, if it does. */
export function searchInputOf({ kind }: Field, way: SearchBy | undefined): ComponentType<SearchProps> | null {
  const isTime = kind === 'date' || kind === 'dateTime'
  if (way === undefined || (isTime && way === 'between')) return searchInputs[kind]
  if (isTime) return Day
  return way === 'between' ? (kind === 'money' ? Amounts : Numbers) : searchInputs[kind]
}
