import {
  CheckCircleFilled,
  ClockCircleOutlined,
  CloseCircleFilled,
  CloudUploadOutlined,
  WarningFilled,
} from '@ant-design/icons'
import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { AttendStatus } from '#schemas/dictionaries/exam'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { clockText } from './clock-text.ts'
import type { Person } from './roster.ts'

const looks: Record<Person['attend'], readonly [text: string, colour: string, icon: ReactNode]> = {
  [AttendStatus.unrecorded]: ['未到', 'default', <ClockCircleOutlined aria-hidden key="0" />],
  [AttendStatus.present]: ['已到', 'success', <CheckCircleFilled aria-hidden key="1" />],
  [AttendStatus.absent]: ['缺考', 'error', <CloseCircleFilled aria-hidden key="2" />],
  [AttendStatus.misconduct]: ['违纪', 'warning', <WarningFilled aria-hidden key="3" />],
}

/** How somebody stands, told by word and sign, not by colour alone. */
export function StateTag({ of }: { of: Person }) {
  const t = useT()
  const [text, colour, icon] = looks[of.attend]
  return (
    <Tag color={colour} icon={icon}>
      {t(text)}
      {of.attend === AttendStatus.present && of.arrival && ` ${clockText(of.arrival.at)}`}
      {of.waiting && (
        <CloudUploadOutlined className="door-waiting" role="img" aria-label={t('待上传')} title={t('待上传')} />
      )}
    </Tag>
  )
}
