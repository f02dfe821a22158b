import { Card, Flex, Statistic, Typography } from 'antd'
import type { ReactNode } from 'react'
import { datapurge } from '#resources/exams/datapurge'
import { useT } from '../../../platform/i18n/i18n.ts'
import ListScreen from '../../../screens/ListScreen.tsx'
import { useMay } from '../../../screens/may.ts'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { expiring } from '../contract.ts'

/** What goes by itself with the next run of the job, counted now. */
function Expiring(): ReactNode {
  const t = useT()
  const { data, error } = useEndpoint(expiring, {})
  if (error) return <NoAnswer error={error} />
  const kinds = [
    [t('从未提交的报名'), data?.drafts],
    [t('个人信息请求的申请人'), data?.requests],
    [t('不属于考试的短信'), data?.texts],
    [t('消息的接收地址'), data?.addresses],
    [t('将通知的账号'), data?.asked],
    [t('将清除的账号'), data?.accounts],
  ] as const
  return (
    <Card size="small" title={t('到期自动清除')}>
      <Typography.Paragraph type="secondary">
        {t('不属于某场考试的资料每天自动清除，以下是下一次将清除的条数；账号先通知本人，30天后未登录才清除。')}
      </Typography.Paragraph>
      <Flex wrap gap="12px 32px">
        {kinds.map(([title, value]) => (
          <Statistic
            key={title}
            title={title}
            value={value ?? 0}
            loading={!data}
            styles={{ content: { fontSize: 20 } }}
          />
        ))}
      </Flex>
    </Card>
  )
}

/** Erasures of exams, and what goes without one. */
export default function PurgePage(): ReactNode {
  const may = useMay(datapurge)
  return <ListScreen resource={datapurge} slots={may('plan') ? { head: <Expiring /> } : {}} />
}
