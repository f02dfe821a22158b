import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { useT } from '../../platform/i18n/i18n.ts'
import { DATE_TIME } from './DateInputs.tsx'
import { type InputProps, inputState } from './props.ts'

/** From when until when: a list of two times, both or none. */
export function TimeSpanInput(props: InputProps<readonly string[]>) {
  const t = useT()
  const { id, value, onChange } = props
  const { status, disabled } = inputState(props)
  const [from, to] = Array.isArray(value) ? value : []
  return (
    <DatePicker.RangePicker
      id={id ? { start: id, end: `${id}-end` } : undefined}
      status={status}
      disabled={disabled}
      style={{ width: '100%' }}
      showTime
      placeholder={[t('开始'), t('结束')]}
      value={[from ? dayjs(from) : null, to ? dayjs(to) : null]}
      onChange={next => {
        const [start, end] = next ?? []
        onChange(start && end ? [start.format(DATE_TIME), end.format(DATE_TIME)] : undefined)
      }}
    />
  )
}
