import { CloudUploadOutlined, DisconnectOutlined, LeftOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button, Flex, Tag, Typography } from 'antd'
import { Link } from 'react-router-dom'
import { useT } from '../../../../platform/i18n/i18n.ts'
import type { Door, DoorState } from './door.ts'
import { placeText } from './words.ts'

/** Which room this is, and how far the device and the server agree. */
export function DoorHead({ door, state }: { door: Door; state: DoorState }) {
  const t = useT()
  const { bundle, online, busy, queue } = state
  const waiting = queue.filter(mark => !mark.conflict).length
  return (
    <header className="door-head">
      <Link to="/ticket/checkin" aria-label={t('返回考场列表')} className="door-back">
        <LeftOutlined aria-hidden />
      </Link>
      <div>
        <Flex align="center" gap={8}>
          {door.place.rehearsal && <Tag color="warning">{t('演练')}</Tag>}
          <h1>{bundle ? placeText(bundle.room) : t('考场签到')}</h1>
        </Flex>
        {bundle && (
          <Typography.Text type="secondary">
            {bundle.room.itemName} {bundle.room.startTime.slice(5, 16)}
          </Typography.Text>
        )}
      </div>
      <div className="door-net" role="status">
        {!online && <Tag icon={<DisconnectOutlined aria-hidden />}>{t('离线')}</Tag>}
        {waiting > 0 ? (
          <Button icon={<CloudUploadOutlined aria-hidden />} loading={busy} onClick={() => void door.flush()}>
            {t('{{n}} 条待上传', { n: waiting })}
          </Button>
        ) : (
          <Button
            icon={<ReloadOutlined aria-hidden />}
            loading={busy}
            aria-label={t('更新名单')}
            title={t('更新名单')}
            onClick={() => void door.refresh()}
          />
        )}
      </div>
    </header>
  )
}
