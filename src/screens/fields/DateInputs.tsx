import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import type { KeyboardEvent } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { type InputProps, inputState } from './props.ts'

/** How dates and times stand on the wire. */
export const DATE = 'YYYY-MM-DD'
export const DATE_TIME = 'YYYY-MM-DD HH:mm:ss'

const read = (text: string | undefined | null) => (text ? dayjs(text) : null)

/** The enter key confirms what was typed; it must not save the whole form as well. */
const stay = (event: KeyboardEvent<HTMLElement>): void => {
  if (event.key === 'Enter') event.preventDefault()
}

/** A calendar date, `yyyy-MM-dd`. */
export function DateInput(props: InputProps<string>) {
  const t = useT()
  return (
    <DatePicker
      {...inputState(props)}
      onKeyDown={stay}
      style={{ width: '100%' }}
      placeholder={t('请选择')}
      value={read(props.value)}
      onChange={next => props.onChange(next ? next.format(DATE) : undefined)}
    />
  )
}

/** An instant, `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai whatever the device's zone: what is shown is what is sent. */
export function DateTimeInput(props: InputProps<string>) {
  const t = useT()
  return (
    <DatePicker
      {...inputState(props)}
      onKeyDown={stay}
      style={{ width: '100%' }}
      showTime
      placeholder={t('请选择')}
      value={read(props.value)}
      onChange={next => props.onChange(next ? next.format(DATE_TIME) : undefined)}
    />
  )
}

/** A span of two instants or dates; each end may be open. */
export type Span = readonly [string | undefined, string | undefined]

/** What a range input is given. */
export interface RangeProps {
  id?: string
  value: Span | undefined
  onChange: (span: Span | undefined) => void
  /** With the time of day. */
  time?: boolean
}

/** Between two days, or two times of day. Ends of a day without time are its first and last second. */
export function RangeInput({ id, value, onChange, time }: RangeProps) {
  const t = useT()
  const [from, to] = value ?? []
  return (
    <DatePicker.RangePicker
      id={id ? { start: id, end: `${id}-end` } : undefined}
      style={{ width: '100%' }}
      placeholder={[t('开始'), t('结束')]}
      value={[read(from), read(to)]}
      allowEmpty
      onChange={next => {
        const [start, end] = next ?? []
        if (!start && !end) return onChange(undefined)
        const format = time ? DATE_TIME : DATE
        onChange([
          start ? (time ? start.startOf('day') : start).format(format) : undefined,
          end ? (time ? end.endOf('day') : end).format(format) : undefined,
        ])
      }}
    />
  )
}
