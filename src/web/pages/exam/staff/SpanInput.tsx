import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { DATE_TIME } from '../../../fields/DateInputs.tsx'
import { useT } from '../../../i18n.ts'

/** The two ends of an appointment as they travel; either may be open. */
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
