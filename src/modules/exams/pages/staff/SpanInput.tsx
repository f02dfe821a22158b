import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { DATE_TIME } from '../../../../screens/fields/DateInputs.tsx'

/** The two ends of an appointment on the wire; either may be open. */
export interface SpanTexts {
  startTime?: string
  endTime?: string
}

/** From when until when an appointment holds. */
export function SpanInput({ value, onChange }: { value: SpanTexts; onChange: (span: SpanTexts) => void }) {
  const t = useT()
  const { startTime, endTime } = value
  return (
    <DatePicker.RangePicker
      style={{ width: '100%' }}
      showTime
      allowEmpty
      placeholder={[t('授权开始'), t('授权结束')]}
      value={[startTime ? dayjs(startTime) : null, endTime ? dayjs(endTime) : null]}
      onChange={next => {
        const [start, end] = next ?? []
        onChange({
          ...(start && { startTime: start.format(DATE_TIME) }),
          ...(end && { endTime: end.format(DATE_TIME) }),
        })
      }}
    />
  )
}
