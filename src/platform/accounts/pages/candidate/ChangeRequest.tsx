import { App } from 'antd'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { Entry } from '../../../../screens/candidate/Entry.tsx'
import { FormButtons } from '../../../../screens/candidate/FormButtons.tsx'
import { FilePick } from '../../../../screens/candidate/files/FilePick.tsx'
import { Thumb } from '../../../../screens/candidate/Thumb.tsx'
import { FileProblem, fittedPicture, PHOTO_TYPES } from '../../../../screens/fields/picture-file.ts'
import { NotArrived, sendFile } from '../../../files/browser/send-file.ts'
import { call } from '../../../http/browser/call.ts'
import { useT } from '../../../i18n/i18n.ts'
import { askForChange } from '../../contract.ts'

/** Largest picture of an ID card in KB. */
const MOST = 2048
const blank = { realName: '', idCard: '', reason: '', cardFront: '', cardBack: '' }

type Fields = typeof blank

const gapOf = ({ reason, ...fields }: Fields): string | undefined => {
  if (!Object.values(fields).some(Boolean)) return '请填写要变更的内容'
  return reason.trim() ? undefined : '请输入变更原因'
}

function useAsking(onDone: () => void) {
  const t = useT()
  const { message } = App.useApp()
  const [fields, setFields] = useState(blank)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const put = (part: Partial<Fields>): void => {
    setFields(before => ({ ...before, ...part }))
    setProblem(undefined)
  }
  const busily = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    // A refusal has been shown; what was typed stays.
    await work().catch((error: unknown) => {
      if (error instanceof FileProblem) setProblem(t(error.message, error.values))
      if (error instanceof NotArrived) setProblem(t('网络不通，没有传完'))
    })
    setBusy(false)
  }
  const pick = (name: 'cardFront' | 'cardBack') => (files: File[]) => {
    const [file] = files
    if (!file) return
    void busily(async () => {
      const stored = await sendFile(await fittedPicture(file, MOST), { owner: 'card' })
      put({ [name]: stored.attachId })
    })
  }
  const send = (event: SyntheticEvent): void => {
    event.preventDefault()
    const gap = gapOf(fields)
    if (gap) {
      setProblem(t(gap))
      return
    }
    void busily(async () => {
      await call(askForChange, fields)
      void message.success(t('申请已提交，请等待审核'))
      onDone()
    })
  }
  return { fields, problem, busy, put, pick, send }
}

/** Asks for what stands on the ID card to be changed; staff look at it first. */
export function ChangeRequest({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }): ReactNode {
  const t = useT()
  const { fields, problem, busy, put, pick, send } = useAsking(onDone)
  const picture = (name: 'cardFront' | 'cardBack', label: string): ReactNode => (
    <div className="my-words">
      <Thumb id={fields[name]} ext="jpg" alt={t(label)} />
      <FilePick accept={PHOTO_TYPES} disabled={busy} onPick={pick(name)}>
        {t(label)}
      </FilePick>
    </div>
  )
  const entry = (name: 'realName' | 'idCard' | 'reason', label: string, maxLength: number): ReactNode => (
    <Entry
      id={`change-${name}`}
      label={t(label)}
      maxLength={maxLength}
      value={fields[name]}
      onChange={event => put({ [name]: event.target.value })}
    />
  )
  return (
    <form className="my-card" onSubmit={send} noValidate>
      <h2>{t('申请变更姓名或证件')}</h2>
      <p className="my-quiet">{t('只填写需要变更的内容，审核通过后生效。')}</p>
      {entry('realName', '新姓名', 20)}
      {entry('idCard', '新证件号码', 30)}
      {picture('cardFront', '身份证人像面')}
      {picture('cardBack', '身份证国徽面')}
      {entry('reason', '变更原因', 255)}
      {problem && (
        <p className="in-problem" role="alert">
          {problem}
        </p>
      )}
      <FormButtons action="提交申请" busy={busy} onCancel={onCancel} />
    </form>
  )
}
