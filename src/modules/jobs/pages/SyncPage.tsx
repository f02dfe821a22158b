import { Alert, Button, Card, Descriptions, Flex, List } from 'antd'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { type AnswerOf, callOf } from '#engine'
import { jobInfo } from '#resources/jobs/job-info'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { syncJobs } from '../contract.ts'
import { ConflictDialog } from './ConflictDialog.tsx'

type Synced = AnswerOf<typeof syncJobs>

/** What came of syncing, and what is left for a person. */
function Outcome({ synced, onOpen }: { synced: Synced; onOpen: (id: string) => void }) {
  const t = useT()
  const counts = [
    ['新增', synced.added],
    ['更新', synced.updated],
    ['已推送', synced.pushed],
    ['对方已删除', synced.removed],
  ] as const
  return (
    <Flex vertical gap={16}>
      <Descriptions
        size="small"
        column={{ xs: 2, sm: 4 }}
        items={counts.map(([title, count]) => ({ key: title, label: t(title), children: count }))}
      />
      {synced.conflicts.length > 0 && (
        <List
          header={t('两边都改过，请选择以哪一方为准')}
          dataSource={[...synced.conflicts]}
          renderItem={job => (
            <List.Item
              actions={[
                <Button key="open" type="link" onClick={() => onOpen(job.id)}>
                  {t('处理冲突')}
                </Button>,
              ]}
            >
              {job.jobName}
            </List.Item>
          )}
        />
      )}
      {synced.failed.map(one => (
        <Alert
          key={`${one.jobServerId} ${one.jobName}`}
          type="error"
          showIcon
          title={[one.jobServerName, one.jobName].filter(Boolean).join(' · ')}
          description={t(one.reason)}
        />
      ))}
    </Flex>
  )
}

/** Syncs jobs with their PowerJob servers, and lets a person choose where both sides were changed. */
export default function SyncPage() {
  const t = useT()
  const go = useNavigate()
  const [search, setSearch] = useSearchParams()
  const [synced, setSynced] = useState<Synced>()
  const sync = useSend(syncJobs, { stale: [callOf(jobInfo, 'page')], done: false })
  const id = search.get('id') ?? ''
  const begin = () => sync.mutateAsync({}).then(setSynced, () => undefined)
  const open = (next: string) => setSearch(next ? { id: next } : {}, { replace: true })
  const settled = () => {
    setSynced(now => now && { ...now, conflicts: now.conflicts.filter(one => one.id !== id) })
    open('')
  }
  return (
    <Card
      title={t('同步任务')}
      extra={
        <Flex gap={8}>
          <Button onClick={() => go('/job/info')}>{t('返回')}</Button>
          <Button type="primary" loading={sync.isPending} onClick={begin}>
            {t('开始同步')}
          </Button>
        </Flex>
      }
    >
      {synced ? (
        <Outcome synced={synced} onOpen={open} />
      ) : (
        <Alert
          type="info"
          title={t('与PowerJob任务服务双向同步：一边改过的更新另一边，两边都改过的由您选择')}
          description={t('4.x版本的服务器只能取回从本系统发起的运行记录')}
        />
      )}
      {id && <ConflictDialog id={id} onClose={() => open('')} onDone={settled} />}
    </Card>
  )
}
