import { Alert, App, Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { ConfirmStatus } from '#schemas/dictionaries/exam'
import { call } from '../../../../platform/http/browser/call.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Countdown } from '../../../../screens/candidate/Countdown.tsx'
import { Timed } from '../../../../screens/candidate/Timed.tsx'
import { momentText } from '../../../../screens/candidate/times.ts'
import { confirmShortlist, type Score } from '../../contract.ts'

/** What was answered to being shortlisted. */
const answers: Readonly<Record<number, readonly ['success' | 'info' | 'warning', string]>> = {
  [ConfirmStatus.confirmed]: ['success', '您已确认参加后续环节，请留意安排。'],
  [ConfirmStatus.declined]: ['info', '您已放弃入围资格，空出的名额依次递补。'],
  [ConfirmStatus.missed]: ['warning', '您未按时确认，视为放弃入围资格。'],
}

/** Takes or declines a place on the shortlist: until when, what follows, and what was answered. */
export function ConfirmPart({ of, onChange }: { of: Score; onChange: () => void }): ReactNode {
  const t = useT()
  const { modal, message } = App.useApp()
  const [sending, send] = useState<boolean>()
  const answer = async (yes: boolean): Promise<void> => {
    send(yes)
    await call(confirmShortlist, { itemId: of.itemId, yes })
      .then(
        () => void message.success(t(yes ? '已确认' : '已放弃入围')),
        () => undefined,
      )
      .finally(() => {
        send(undefined)
        onChange()
      })
  }
  const decline = (): void =>
    void modal.confirm({
      title: t('放弃入围资格？'),
      content: t('放弃后不再参加后续环节，名额由下一名递补，不能更改。'),
      okText: t('确定放弃'),
      okButtonProps: { danger: true },
      cancelText: t('取消'),
      onOk: () => answer(false),
    })
  const [tone, word] = answers[of.confirmStatus] ?? []
  if (word) return <Alert type={tone} showIcon title={t(word)} description={momentText(of.confirmTime)} />
  if (!of.canConfirm) return null
  return (
    <div className="score-confirm">
      <Alert
        type="warning"
        showIcon
        title={
          <>
            <Timed text="请在 {{at}} 前确认是否参加后续环节，逾期视为放弃，还剩" at={{ at: of.confirmEnd }} />{' '}
            <Countdown until={of.confirmEnd} onEnd={onChange} />
          </>
        }
      />
      <div className="my-actions">
        <Button
          type="primary"
          size="large"
          loading={sending === true}
          disabled={sending !== undefined}
          onClick={() => void answer(true)}
        >
          {t('确认参加')}
        </Button>
        <Button size="large" danger loading={sending === false} disabled={sending !== undefined} onClick={decline}>
          {t('放弃资格')}
        </Button>
      </div>
    </div>
  )
}
