import { Button, Card, Flex, Progress, Typography } from 'antd'
import { Link } from 'react-router-dom'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { useCanChange } from '../../../../screens/may.ts'
import type { Room } from '../../check-in/contract.ts'
import { ProctorsButton } from './ProctorsButton.tsx'
import { RecordsButton } from './RecordsButton.tsx'
import { doorPath } from './words.ts'

/** What the door of a room can be opened for now. */
export type Opening = 'checkin' | 'rehearsal' | null

/** A room of the stage: how many have come, who stands there, and the way to its door. */
export function RoomCard({ itemId, room, open }: { itemId: string; room: Room; open: Opening }) {
  const t = useT()
  const [acts, appoints] = [useCanChange('checkin_act'), useCanChange('checkin_appoint')]
  const { people, arrived, absent, breach, proctors } = room
  const missing = people - arrived - absent - breach
  return (
    <Card
      size="small"
      title={room.roomNo}
      extra={
        <Typography.Text type="secondary">
          {room.schoolName} {room.roomName}
        </Typography.Text>
      }
    >
      <Flex vertical gap={12}>
        <Progress
          percent={people ? Math.round(((people - missing) / people) * 100) : 0}
          success={{ percent: people ? Math.round((arrived / people) * 100) : 0 }}
          format={() => `${arrived} / ${people}`}
          aria-label={t('到考 {{n}} 人，应到 {{m}} 人', { n: arrived, m: people })}
        />
        <Typography.Text>
          {t('到考 {{n}}', { n: arrived })} · {t('缺考 {{n}}', { n: absent })} · {t('违纪 {{n}}', { n: breach })} ·{' '}
          {t('未登记 {{n}}', { n: missing })}
        </Typography.Text>
        <Typography.Text type={proctors.length ? 'secondary' : 'warning'}>
          {proctors.length
            ? t('监考：{{names}}', { names: proctors.map(one => one.name).join('、') })
            : t('还没有安排监考')}
        </Typography.Text>
        <Flex wrap gap={8}>
          {acts &&
            (open ? (
              <Link to={doorPath(room.roomId, open === 'rehearsal')}>
                <Button type={open === 'rehearsal' ? 'default' : 'primary'}>
                  {open === 'rehearsal' ? t('演练') : t('打开名单')}
                </Button>
              </Link>
            ) : (
              <Button disabled>{t('打开名单')}</Button>
            ))}
          <RecordsButton room={room} />
          {appoints && <ProctorsButton itemId={itemId} room={room} />}
        </Flex>
      </Flex>
    </Card>
  )
}
