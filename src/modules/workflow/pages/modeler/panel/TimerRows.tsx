import { InputNumber, Select, Space } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../../../platform/i18n/i18n.ts'
import type { Shape } from '../editor.ts'
import { readCycle, readDuration, type Unit, writeCycle, writeDuration } from '../timer.ts'
import { useEditor } from './knowledge.ts'
import { ChoiceRow, Row, TextRow } from './rows.tsx'

const unitNames = { minute: '分钟', hour: '小时', day: '天' } as const satisfies Record<Unit, string>

/** A length of time: a number and its unit, or a text where it is something else. */
export function DurationRow(props: { label: string; value: string; onChange: (value: string) => void }): ReactNode {
  const { label, value, onChange } = props
  const t = useT()
  const read = readDuration(value)
  if (value && !read)
    return <TextRow label={label} value={value} onChange={onChange} help="ISO 8601 时长，如 PT30M、P2D" />
  const { count, unit } = read ?? { count: undefined, unit: 'hour' as const }
  return (
    <Row label={label}>
      {id => (
        <Space.Compact block>
          <InputNumber
            id={id}
            min={1}
            max={99_999}
            precision={0}
            value={count ?? null}
            onChange={next => onChange(next ? writeDuration(next, unit) : '')}
          />
          <Select
            aria-label={t('单位')}
            value={unit}
            options={Object.entries(unitNames).map(([one, name]) => ({ value: one as Unit, label: t(name) }))}
            onChange={next => count && onChange(writeDuration(count, next))}
          />
        </Space.Compact>
      )}
    </Row>
  )
}

const ways = { timeDuration: '经过一段时间', timeDate: '到某个时间', timeCycle: '重复多次' } as const
type Way = keyof typeof ways

/** The definition of an event that goes by time. */
export const timerOf = (part: Shape['businessObject']): Shape['businessObject'] | undefined =>
  part.get<(typeof part)[]>('eventDefinitions')?.find(one => one.$type === 'bpmn:TimerEventDefinition')

/** When a timer goes off. */
export function TimerRows({ of, timer }: { of: Shape; timer: Shape['businessObject'] }): ReactNode {
  const editor = useEditor()
  const written = (Object.keys(ways) as Way[]).find(name => timer.get(name))
  const [begun, begin] = useState<Way>('timeDuration')
  const way = written ?? begun
  const value = timer.get<typeof timer>(way)?.get<string>('body') ?? ''
  const write = (name: Way, body: string): void => {
    const made = body ? editor.make('bpmn:FormalExpression', { body }, timer) : undefined
    editor.setPart(of, timer, { timeDuration: undefined, timeDate: undefined, timeCycle: undefined, [name]: made })
  }
  const turn = (next: Way): void => {
    begin(next)
    if (written) write(next, '')
  }
  const cycle = readCycle(value) ?? { times: 3, every: value }
  // Only beside a step that goes on can something happen more than once.
  const repeats = of.type === 'bpmn:BoundaryEvent' && of.businessObject.get('cancelActivity') === false
  const options = repeats || way === 'timeCycle' ? ways : { timeDuration: ways.timeDuration, timeDate: ways.timeDate }
  return (
    <>
      <ChoiceRow label="时间" value={way} options={options as typeof ways} onChange={turn} />
      {way === 'timeDuration' && <DurationRow label="时长" value={value} onChange={next => write(way, next)} />}
      {way === 'timeDate' && (
        <TextRow
          label="到期时间"
          value={value}
          placeholder="2026-12-31T17:00:00+08:00"
          help="ISO 8601 时间，或取日期变量的表达式"
          onChange={next => write(way, next)}
        />
      )}
      {way === 'timeCycle' && (
        <>
          <Row label="次数">
            {id => (
              <InputNumber
                id={id}
                min={1}
                max={100}
                precision={0}
                value={cycle.times}
                onChange={next => cycle.every && write(way, writeCycle(next ?? 1, cycle.every))}
              />
            )}
          </Row>
          <DurationRow
            label="每隔"
            value={cycle.every}
            onChange={every => write(way, every ? writeCycle(cycle.times, every) : '')}
          />
        </>
      )}
    </>
  )
}
