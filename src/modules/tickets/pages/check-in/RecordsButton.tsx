import { HistoryOutlined } from '@ant-design/icons'
import { Button, Modal, Tag, Typography } from 'antd'
import { useState } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { NoAnswer } from '../../../../screens/parts/NoAnswer.tsx'
import { Nothing } from '../../../../screens/parts/Nothing.tsx'
import { useEndpoint } from '../../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../../screens/window/PageSkeleton.tsx'
import { checkInRecords, type Room } from '../../check-in/contract.ts'
import type { MarkKind } from '../../rules/attendance.ts'
import { conflictText, placeText } from './words.ts'

const kinds: Record<MarkKind, string> = { arrive: '签到', absent: '登记缺考', breach: '登记违纪', undo: '撤销' }

function Records({ roomId }: { roomId: string }) {
  const t = useT()
  const kept = useEndpoint(checkInRecords, { roomId })
  if (kept.isPending) return <PageSkeleton />
  if (!kept.data) return <NoAnswer error={kept.error} />
  if (kept.data.length === 0) return <Nothing picture="letter" text={t('还没有登记')} />
  return (
    <ul className="checkin-records">
      {kept.data.map(one => (
        <li key={one.id}>
          <time>{one.time.slice(5)}</time>
          <span>
            {t('{{seat}} 号 {{name}}', { seat: one.seatNo, name: one.name })} · {t(kinds[one.kind])} · {one.by}
            {one.rehearsal && <Tag color="warning">{t('演练')}</Tag>}
            {one.reason && <small>{t(one.reason)}</small>}
            {one.deviceTime !== one.time && <small>{t('设备时间 {{time}}', { time: one.deviceTime })}</small>}
            {one.conflict && (
              <Typography.Text type="warning">
                <Tag color="warning">{t('冲突')}</Tag>
                {conflictText(one.conflict, t)}
              </Typography.Text>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Everything that was noted at the door of a room: who, when, and what clashed. */
export function RecordsButton({ room }: { room: Room }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={<HistoryOutlined aria-hidden />} onClick={() => setOpen(true)}>
        {t('登记记录')}
      </Button>
      <Modal
        open={open}
        title={t('登记记录：{{room}}', { room: placeText(room) })}
        footer={null}
        onCancel={() => setOpen(false)}
        destroyOnHidden
      >
        <Records roomId={room.roomId} />
      </Modal>
    </>
  )
}
