import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { AppealStatus } from '#schemas/dictionaries/exam'
import { call } from '../../../../platform/http/browser/call.ts'
import { newKey } from '../../../../platform/http/browser/http.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import '../../../../screens/candidate/inputs/inputs.css'
import { Badge, type Tone } from '../../../../screens/candidate/Badge.tsx'
import { Countdown } from '../../../../screens/candidate/Countdown.tsx'
import { momentText } from '../../../../screens/candidate/times.ts'
import { type Appeal, type Score, submitAppeal, takeBackAppeal } from '../../contract.ts'
import './score.css'

const states: Readonly<Record<number, [string, Tone]>> = {
  [AppealStatus.pending]: ['复核处理中', 'wait'],
  [AppealStatus.upheld]: ['复核：维持原成绩', 'quiet'],
  [AppealStatus.corrected]: ['复核：成绩已更正', 'good'],
  [AppealStatus.withdrawn]: ['复核申请已撤回', 'quiet'],
}

/** An appeal that was filed, its answer, and the way to take it back while it waits. */
export function AppealState({ of, onChange }: { of: Appeal; onChange: () => void }): ReactNode {
  const t = useT()
  const back = useMutation({
    mutationFn: () => call(takeBackAppeal, { id: of.id }),
    onSettled: onChange,
  })
  const [word, tone] = states[of.appealStatus] ?? ['复核处理中', 'wait']
  return (
    <div className="my-note score-appeal">
      <Badge tone={tone}>{t(word)}</Badge>
      <p>
        {momentText(of.createTime)} {of.reason}
      </p>
      {of.reply && (
        <p>
          <strong>{t('答复')}</strong> {momentText(of.handleTime)} {of.reply}
        </p>
      )}
      {of.appealStatus === AppealStatus.pending && (
        <Button size="large" loading={back.isPending} onClick={() => back.mutate()}>
          {t('撤回复核申请')}
        </Button>
      )}
    </div>
  )
}

/** Files an appeal, once, with a reason. What was typed stays when it is refused. */
export function AppealForm({ of, onChange }: { of: Score; onChange: () => void }): ReactNode {
  const t = useT()
  const id = useId()
  const [isOpen, open] = useState(false)
  const [reason, setReason] = useState('')
  const [key] = useState(newKey)
  const file = useMutation({
    mutationFn: () => call(submitAppeal, { resultId: of.id, reason: reason.trim() }, { key }),
    onSuccess: onChange,
  })
  if (!isOpen)
    return (
      <div className="my-actions">
        <Button size="large" onClick={() => open(true)}>
          {t('申请复核')}
        </Button>
        <span className="my-quiet">
          {t('距申请截止')} <Countdown until={of.appealEndTime} />
        </span>
      </div>
    )
  return (
    <div className="in-field">
      <label htmlFor={id}>{t('申请理由（只能申请一次）')}</label>
      <textarea
        id={id}
        className="in"
        rows={4}
        maxLength={500}
        value={reason}
        onChange={event => setReason(event.target.value)}
      />
      <div className="my-actions">
        <Button
          type="primary"
          size="large"
          disabled={!reason.trim()}
          loading={file.isPending}
          onClick={() => file.mutate()}
        >
          {t('提交申请')}
        </Button>
        <Button size="large" onClick={() => open(false)}>
          {t('取消')}
        </Button>
      </div>
    </div>
  )
}
