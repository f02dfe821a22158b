import { Alert, Button, Drawer, Flex, Space, Typography } from 'antd'
import { useState } from 'react'
import { AttendStatus } from '#schemas/dictionaries/exam'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { clockText } from './clock-text.ts'
import { Portrait } from './Portrait.tsx'
import type { Person } from './roster.ts'
import { StateTag } from './StateTag.tsx'
import type { Noted } from './types.ts'
import { breachReasons, lateReasons, undoReasons } from './words.ts'

interface Props {
  person: Person
  /** The code that was scanned. */
  code?: string
  /** True when nobody is let in any more without a reason. */
  closed: boolean
  /** True when absence can be noted. */
  absence: boolean
  onNote: (noted: Noted[]) => void
  onClose: () => void
}

type Asking = 'undo' | 'breach'

const kinds = {
  [AttendStatus.present]: 'arrive',
  [AttendStatus.absent]: 'absent',
  [AttendStatus.misconduct]: 'breach',
} as const
const undoTitles = {
  [AttendStatus.present]: '撤销签到',
  [AttendStatus.absent]: '撤销缺考',
  [AttendStatus.misconduct]: '撤销违纪',
} as const

function Reasons({ of, onChoose }: { of: readonly string[]; onChoose: (reason: string) => void }) {
  const t = useT()
  return of.map(reason => (
    <Button key={reason} size="large" block onClick={() => onChoose(reason)}>
      {t(reason)}
    </Button>
  ))
}

/** What can be noted about somebody at present. */
function Acts({ person, code, closed, absence, onNote }: Omit<Props, 'onClose'>) {
  const t = useT()
  const [asking, ask] = useState<Asking>()
  const { ticketId, attend, live } = person
  const arrive = (reason?: string) =>
    onNote([{ ticketId, kind: 'arrive', ...(reason ? { reason } : {}), ...(code ? { code } : {}) }])
  const undo = (reason: string) => {
    const taken = live.filter(mark => attend !== AttendStatus.unrecorded && mark.kind === kinds[attend])
    onNote(taken.map(mark => ({ ticketId, kind: 'undo', undoes: mark.id, reason })))
  }
  if (asking === 'undo') return <Reasons of={undoReasons} onChoose={undo} />
  if (asking === 'breach')
    return <Reasons of={breachReasons} onChoose={reason => onNote([{ ticketId, kind: 'breach', reason }])} />
  const canArrive = attend === AttendStatus.unrecorded || attend === AttendStatus.absent
  return (
    <>
      {canArrive && !closed && (
        <Button type="primary" size="large" block className="door-go" onClick={() => arrive()}>
          {t('确认是本人，签到')}
        </Button>
      )}
      {canArrive && closed && (
        <>
          <Typography.Text type="warning">{t('已过最迟入场时间，签到须选择原因：')}</Typography.Text>
          <Reasons of={lateReasons} onChoose={arrive} />
        </>
      )}
      {attend === AttendStatus.unrecorded && absence && (
        <Button size="large" block danger onClick={() => onNote([{ ticketId, kind: 'absent' }])}>
          {t('登记缺考')}
        </Button>
      )}
      {attend === AttendStatus.present && (
        <Button size="large" block danger onClick={() => ask('breach')}>
          {t('登记违纪')}
        </Button>
      )}
      {attend !== AttendStatus.unrecorded && (
        <Button size="large" block onClick={() => ask('undo')}>
          {t(undoTitles[attend])}
        </Button>
      )}
    </>
  )
}

/** Somebody of the room, large enough to compare the face, with what can be noted under the thumb. */
export function PersonSheet({ onClose, ...of }: Props) {
  const t = useT()
  const { person } = of
  const [last] = person.live.toReversed()
  return (
    <Drawer
      open
      placement="bottom"
      size="auto"
      title={t('{{seat}} 号 {{name}}', { seat: person.seatNo, name: person.name })}
      onClose={onClose}
      rootClassName="door-sheet"
    >
      {of.code && person.attend === AttendStatus.present && (
        <Alert
          type="warning"
          showIcon
          style={{ marginBlockEnd: 12 }}
          title={t('这张准考证已经签到过，请核对是否本人、有无冒名。')}
        />
      )}
      <Flex gap={16}>
        <Portrait of={person} large />
        <Space orientation="vertical" size={4}>
          <StateTag of={person} />
          <Typography.Text strong>{person.ticketNo}</Typography.Text>
          <Typography.Text>{person.idCard}</Typography.Text>
          {last && (
            <Typography.Text type="secondary">
              {clockText(last.at)} {'by' in last ? last.by : t('本机登记')}
            </Typography.Text>
          )}
          {of.code && <Typography.Text type="success">{t('二维码有效')}</Typography.Text>}
        </Space>
      </Flex>
      <div className="door-acts">
        <Acts key={`${person.attend}`} {...of} />
      </div>
    </Drawer>
  )
}
