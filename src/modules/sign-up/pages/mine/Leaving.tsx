import { App, Button } from 'antd'
import type { ReactNode } from 'react'
import { ExamineStatus, SignStatus } from '#schemas/dictionaries/sign-up'
import { call } from '../../../../platform/http/browser/call.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { giveUpSignup, type Mine, withdrawSignup } from '../../contract.ts'

/** Taking a sign-up back to a draft while nobody has looked at it, and giving it up; both are confirmed first. */
export function Leaving({ of, onDone }: { of: Mine; onDone: () => void }): ReactNode {
  const t = useT()
  const { modal, message } = App.useApp()
  const ask = (leave: typeof withdrawSignup, title: string, content: string, done: string): void => {
    const onOk = async (): Promise<void> => {
      await call(leave, { id: of.id }).then(
        () => {
          void message.success(t(done))
          onDone()
        },
        () => undefined,
      )
    }
    modal.confirm({ title: t(title), content: t(content), okText: t('确定'), cancelText: t('取消'), onOk })
  }
  const isWaiting = of.signStatus === SignStatus.submitted && of.examine === ExamineStatus.pending
  const isLive = of.signStatus === SignStatus.draft || of.signStatus === SignStatus.submitted
  if (!isLive) return null
  return (
    <>
      {isWaiting && of.withdrawBlock && <p className="my-quiet">{of.withdrawBlock}</p>}
      {isWaiting && !of.withdrawBlock && (
        <Button
          size="large"
          onClick={() =>
            ask(withdrawSignup, '撤回报名？', '撤回后成为草稿，名额不再保留，修改后需重新提交。', '已撤回')
          }
        >
          {t('撤回修改')}
        </Button>
      )}
      <Button
        size="large"
        danger
        onClick={() => ask(giveUpSignup, '放弃报名？', '放弃后不再参加本次考试；报名期内可以重新报名。', '已放弃')}
      >
        {t('放弃报名')}
      </Button>
    </>
  )
}
