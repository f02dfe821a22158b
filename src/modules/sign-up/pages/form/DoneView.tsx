import { CheckCircleFilled } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { saveFile } from '../../../../platform/http/browser/call.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Timed } from '../../../../screens/candidate/Timed.tsx'
import { momentText } from '../../../../screens/candidate/times.ts'
import { type Mine, printSignup } from '../../contract.ts'
import type { Submitted } from './sending.ts'

/** Saves the printed form of a sign-up on the person's device. */
export function FormPdfButton({ id }: { id: string }): ReactNode {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      await saveFile(printSignup, { signupId: id })
    } catch {
      // The refusal has been shown.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="large" loading={busy} onClick={() => void save()}>
      {t('下载报名表')}
    </Button>
  )
}

/** A sign-up has been handed in: its number, what comes next and when, and whom to ask. @param of known when it has been asked for */
export function DoneView({ done, of, onMine }: { done: Submitted; of?: Mine; onMine: () => void }): ReactNode {
  const t = useT()
  const until = of?.line?.find(one => one.station === 'EXAMINE' && one.state === 'here')?.time
  return (
    <section className="my-card form-done" role="status">
      <CheckCircleFilled aria-hidden style={{ fontSize: 48, color: 'var(--jx-good)' }} />
      <h1>{t('报名已提交')}</h1>
      <p className="my-quiet">{t('报名序号')}</p>
      <strong>{done.signNo}</strong>
      <p className="my-quiet">{momentText(done.submitTime)}</p>
      <p>{t('接下来由工作人员审核。请留意审核结果，退回修改的要在截止前重新提交；通过后按时缴费。')}</p>
      {until && (
        <p>
          <Timed text={'{{at}} 前有审核结果，届时会通知您。'} at={{ at: until }} />
        </p>
      )}
      {of?.contactPhone && (
        <p>
          {t('咨询电话')} <a href={`tel:${of.contactPhone}`}>{of.contactPhone}</a>
        </p>
      )}
      <div className="my-actions">
        <FormPdfButton id={done.id} />
        <Button type="primary" size="large" onClick={onMine}>
          {t('查看我的报名')}
        </Button>
      </div>
    </section>
  )
}
