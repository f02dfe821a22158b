import { Alert, Button, Flex } from 'antd'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { session } from '../../../../platform/http/browser/session.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { browserStore } from './door-store.ts'
import type { KeptBundle } from './types.ts'
import { doorPath, placeText } from './words.ts'

/** The way to the doors that work without the server: those whose rosters this device keeps. */
export function KeptRooms({ onRetry }: { onRetry: () => void }) {
  const t = useT()
  const [kept, setKept] = useState<readonly KeptBundle[]>([])
  useEffect(() => {
    const mine = (all: readonly KeptBundle[]) => all.filter(one => one.userId === session.get()?.user_id)
    void browserStore()
      .bundles()
      .then(
        all => setKept(mine(all)),
        () => undefined,
      )
  }, [])
  return (
    <Flex vertical gap={12}>
      <Alert
        type="warning"
        showIcon
        title={t('暂时连不上服务器')}
        description={kept.length > 0 && t('本机保存了下列考场的名单，没有网络也可以签到。')}
        action={<Button onClick={onRetry}>{t('重试')}</Button>}
      />
      {kept.map(({ roomId, room, rehearsal = false }) => (
        <Link key={roomId} to={doorPath(roomId, rehearsal)}>
          <Button size="large" block>
            {rehearsal && `${t('演练')} · `}
            {placeText(room)}
          </Button>
        </Link>
      ))}
    </Flex>
  )
}
