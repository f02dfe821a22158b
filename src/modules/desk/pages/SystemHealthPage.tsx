import { CheckCircleFilled, InfoCircleFilled, WarningFilled } from '@ant-design/icons'
import { Button, Card, Flex } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../../platform/i18n/i18n.ts'
import ListFailure from '../../../screens/ListFailure.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { type HealthSign, systemHealth } from '../contract.ts'
import './dashboard.css'

const words: Readonly<Record<HealthSign['code'], string>> = {
  disk: '数据目录所在磁盘剩余 {{num}}%',
  work: '到期的后台工作最久已等待 {{num}} 秒',
  'work-none': '没有到期未做的后台工作',
  clock: '本机时钟与数据库时钟相差 {{num}} 毫秒',
  primary: '数据库是主库，可以写入',
  standby: '数据库是备库，不能写入',
  replica: '{{text}} 台备库，最多落后 {{num}} 秒',
  'replica-none': '没有备库',
  backup: '最近一次备份在 {{num}} 小时前完成',
  'backup-none': '还没有备份',
  'backup-off': '没有设置备份目录，系统不会自行备份',
  'backup-failed': '最近一次备份失败：{{text}}',
  slot: '复制槽 {{text}} 为接收方保留 {{num}} MB 日志',
  'slot-idle': '复制槽 {{text}} 没有接收方，保留着 {{num}} MB 日志',
  'slot-lost': '复制槽 {{text}} 已失效，接收方须重新备份',
  'slot-none': '没有复制槽',
  audit: '防篡改日志在 {{num}} 小时前核对完整',
  'audit-none': '防篡改日志还没有核对',
  'audit-broken': '{{text}}的防篡改日志与写入时不一致',
  certificate: '{{text}} 的证书还有 {{num}} 天到期',
  'certificate-none': 'PUBLIC_URL 不是 https 地址，没有证书',
  'certificate-unread': '本机读不到 {{text}} 的证书',
  merchant: '{{text}}的商户证书还有 {{num}} 天到期',
}

/** What is not there and need not be: neither good nor bad. */
const absent: ReadonlySet<HealthSign['code']> = new Set([
  'replica-none',
  'backup-off',
  'slot-none',
  'audit-none',
  'certificate-none',
  'certificate-unread',
])

/** How the installation does: each sign in words, with a mark beside its colour where somebody is needed. */
export default function SystemHealthPage(): ReactNode {
  const t = useT()
  const { data, error, isPending, isError, isRefetching, refetch } = useEndpoint(systemHealth, {})
  if (isPending) return <PageSkeleton />
  const again = (
    <Button onClick={() => void refetch()} loading={isRefetching}>
      {t('刷新')}
    </Button>
  )
  return (
    <Card extra={again}>
      {isError && <ListFailure error={error} onRetry={() => void refetch()} />}
      <ul className="board-signs">
        {data?.map(({ code, isBad, num, text }) => (
          <li key={`${code} ${text}`} data-bad={isBad || undefined} data-absent={absent.has(code) || undefined}>
            <Flex gap={8} align="baseline">
              <Mark code={code} isBad={isBad} />
              <span>{t(words[code], { num, text })}</span>
            </Flex>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Says by a picture whether somebody is needed. */
function Mark({ code, isBad }: Pick<HealthSign, 'code' | 'isBad'>): ReactNode {
  const t = useT()
  if (isBad) return <WarningFilled aria-label={t('需要处理')} />
  return absent.has(code) ? <InfoCircleFilled aria-label={t('没有')} /> : <CheckCircleFilled aria-label={t('正常')} />
}
