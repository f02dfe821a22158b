import { Checkbox, Flex, Input, InputNumber, Select, TimePicker, Typography } from 'antd'
import dayjs from 'dayjs'
import { useEffect, useId, useRef, useState } from 'react'
import { JobTimeType } from '#schemas/dictionaries/platform'
import { ApiError } from '../../platform/http/browser/http.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { jobTimes } from '../contract.ts'
import { useEndpoint } from '../parts/use-endpoint.ts'
import { type InputProps, inputState } from './props.ts'
import './job-timing.css'

const time = 'HH:mm:ss'
/** Milliseconds without another letter until the next times are asked for. */
const pause = 400

/** What a daily interval consists of, while it is entered. */
interface Daily {
  interval?: number
  intervalUnit: string
  startTimeOfDay?: string
  endTimeOfDay?: string
  daysOfWeek: number[]
}

const everyDay = [1, 2, 3, 4, 5, 6, 7]
const dayNames = ['周一', '周二', '周三', '周四', '周五', '周六', '周日']
const units = [
  { value: 'SECONDS', label: '秒' },
  { value: 'MINUTES', label: '分钟' },
  { value: 'HOURS', label: '小时' },
]

function dailyOf(text: string | undefined): Daily {
  const empty: Daily = { intervalUnit: 'MINUTES', daysOfWeek: everyDay }
  try {
    const given = JSON.parse(text ?? '') as Partial<Daily> | null
    // What is not said means seconds and every day.
    return typeof given === 'object' && given
      ? { ...given, intervalUnit: given.intervalUnit ?? 'SECONDS', daysOfWeek: given.daysOfWeek ?? everyDay }
      : empty
  } catch {
    return empty
  }
}

/** Interval, unit, hours and days of a daily interval. It is JSON as job servers write it; nobody has to. */
function DailyInput(props: InputProps<string>) {
  const t = useT()
  const { value, onChange, disabled, onBlur } = props
  const { id: _id, ...state } = inputState(props)
  const daily = dailyOf(value)
  const change = (part: Partial<Daily>): void => onChange(JSON.stringify({ ...daily, ...part }))
  const clock = (name: 'startTimeOfDay' | 'endTimeOfDay', label: string) => (
    <TimePicker
      {...state}
      aria-label={t(label)}
      placeholder={t(label)}
      value={daily[name] ? dayjs(daily[name], time) : null}
      format={time}
      onChange={next => change({ [name]: next?.format(time) })}
    />
  )
  return (
    <Flex vertical gap={8}>
      <Flex gap={8} align="center" wrap>
        <span>{t('每隔')}</span>
        <InputNumber
          {...inputState(props)}
          aria-label={t('间隔')}
          min={1}
          precision={0}
          value={daily.interval ?? null}
          onChange={next => change({ interval: next ?? undefined })}
        />
        <Select
          aria-label={t('单位')}
          disabled={disabled}
          value={daily.intervalUnit}
          options={units.map(one => ({ value: one.value, label: t(one.label) }))}
          onChange={intervalUnit => change({ intervalUnit })}
          onBlur={onBlur}
          className="job-timing-unit"
        />
      </Flex>
      <Flex gap={8} align="center" wrap>
        {clock('startTimeOfDay', '开始时间')}
        <span>{t('至')}</span>
        {clock('endTimeOfDay', '结束时间')}
      </Flex>
      <Checkbox.Group
        disabled={disabled}
        value={daily.daysOfWeek}
        options={dayNames.map((name, at) => ({ value: at + 1, label: t(name) }))}
        onChange={days => change({ daysOfWeek: days.toSorted((a, b) => a - b) })}
      />
    </Flex>
  )
}

/** A CRON expression, or the milliseconds between two runs. */
function ExpressionInput({ type, ...props }: InputProps<string> & { type: number }) {
  const { value, onChange, field } = props
  const t = useT()
  if (type === JobTimeType.cron)
    return (
      <Input
        {...inputState(props)}
        value={value ?? ''}
        maxLength={field.maxLength}
        autoComplete="off"
        className="job-timing-cron"
        onChange={event => onChange(event.target.value || undefined)}
      />
    )
  return (
    <InputNumber
      {...inputState(props)}
      className="job-timing-step"
      value={value && /^\d+$/.test(value) ? Number(value) : null}
      min={1000}
      step={1000}
      precision={0}
      suffix={t('毫秒')}
      onChange={next => onChange(next === null ? undefined : String(next))}
    />
  )
}

/** A value that has not changed for a moment. */
function useSettled<V>(value: V): V {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(setSettled, pause, value)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** When the job runs next, or why it never does, as the server says it. */
function NextTimes({ type, expression }: { type: number; expression: string }) {
  const t = useT()
  const title = useId()
  const asked = useSettled(expression)
  const { data, error } = useEndpoint(jobTimes, { type: type as JobTime, expression: asked }, { pass: 'all' })
  if (asked !== expression) return null
  if (error instanceof ApiError)
    return (
      <Typography.Text type="danger" role="status">
        {error.message}
      </Typography.Text>
    )
  if (!data) return null
  return (
    <section className="job-timing-next" aria-labelledby={title}>
      <span id={title}>{t('接下来的执行时间')}</span>
      <ul>
        {data.times.map(one => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </section>
  )
}

type JobTime = (typeof JobTimeType)[keyof typeof JobTimeType]

/** When a job runs, entered as its kind of timing wants it, with the next times under it. */
export function JobTimingInput(props: InputProps<string>) {
  const { value = '', onChange, beside } = props
  const type = Number(beside)
  const before = useRef(type)
  useEffect(() => {
    // An expression of another kind of timing means nothing in this one.
    if (before.current !== type && value) onChange(undefined)
    before.current = type
  }, [type, value, onChange])
  return (
    <Flex vertical gap={8}>
      {type === JobTimeType.dailyInterval ? <DailyInput {...props} /> : <ExpressionInput {...props} type={type} />}
      {value && before.current === type && <NextTimes type={type} expression={value} />}
    </Flex>
  )
}
