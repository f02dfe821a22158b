import { App, Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { callOf } from '#engine'
import { userupdateinfo } from '#resources/system/userupdateinfo'
import { AuditStatus } from '#schemas/dictionaries/administration'
import { Facts } from '../../../../screens/candidate/Facts.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { call } from '../../../http/browser/call.ts'
import { useT } from '../../../i18n/i18n.ts'
import { withdrawChange } from '../../contract.ts'
import { ChangeRequest } from './ChangeRequest.tsx'

const words = {
  [AuditStatus.pending]: '待审核',
  [AuditStatus.approved]: '通过',
  [AuditStatus.rejected]: '驳回',
} as const

/** What one has asked to have changed, what became of it, and the way to ask. */
export function ChangeRequests({ onChange }: { onChange: () => void }): ReactNode {
  const t = useT()
  const { modal } = App.useApp()
  const [asking, setAsking] = useState(false)
  const found = useContract(callOf(userupdateinfo, 'page'), { current: 1, size: 10 })
  const requests = found.data?.records ?? []
  const latest = requests[0]
  const waiting = requests.find(one => one.updateStatus === AuditStatus.pending)
  const again = (): void => {
    setAsking(false)
    void found.refetch()
    onChange()
  }
  const withdraw = (): void => {
    const send = () => call(withdrawChange, { ids: waiting?.id ?? '' }).then(again, () => undefined)
    modal.confirm({ title: t('确定撤回变更申请?'), okText: t('确定'), cancelText: t('取消'), onOk: send })
  }
  if (asking) return <ChangeRequest onDone={again} onCancel={() => setAsking(false)} />
  return (
    <section className="my-card">
      <h2>{t('姓名与证件变更')}</h2>
      {latest && (
        <Facts
          of={[
            [t('申请时间'), latest.createTime],
            [t('变更原因'), latest.reason],
            [t('状态'), t(words[latest.updateStatus ?? AuditStatus.pending])],
            ...(latest.auditRemark ? [[t('审核意见'), latest.auditRemark] as [string, string]] : []),
          ]}
        />
      )}
      {waiting ? (
        <Button size="large" onClick={withdraw}>
          {t('撤回申请')}
        </Button>
      ) : (
        <Button size="large" disabled={found.isPending} onClick={() => setAsking(true)}>
          {t('申请变更')}
        </Button>
      )}
    </section>
  )
}
