import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Badge } from '../../../../screens/candidate/Badge.tsx'
import { Facts } from '../../../../screens/candidate/Facts.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { Period } from '../../../../screens/candidate/Timed.tsx'
import { clockText, momentText } from '../../../../screens/candidate/times.ts'
import { noticeIndex } from '../../../notices/contract.ts'
import { MustConfirm } from '../../../notices/pages/parts/MustConfirm.tsx'
import type { TicketLine } from '../../contract.ts'
import { Pictures } from './Pictures.tsx'
import { TicketView } from './TicketView.tsx'
import { step, stepsTo } from './ticket-steps.ts'

function Confirming({ onDone }: { onDone: () => void }): ReactNode {
  const t = useT()
  const [open, setOpen] = useState(false)
  const notices = useContract(noticeIndex, {}, { enabled: open })
  return (
    <>
      <Button type="primary" size="large" block loading={open && notices.isFetching} onClick={() => setOpen(true)}>
        {t('阅读并确认通知')}
      </Button>
      {open && notices.isFetchedAfterMount && notices.data && (
        <MustConfirm
          notices={notices.data.mustSure}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false)
            onDone()
          }}
        />
      )}
    </>
  )
}

function Next({ of, onChange }: { of: TicketLine; onChange: () => void }): ReactNode {
  const t = useT()
  switch (of.stepCode) {
    case 0:
      return <TicketView of={of} />
    case step.sure:
      return <Confirming onDone={onChange} />
    case step.pictures:
      return <Pictures itemId={of.itemId} onDone={onChange} />
    case step.unpaid:
      return (
        <Link to="/signup/examPay">
          <Button type="primary" size="large" block>
            {t('去缴费')}
          </Button>
        </Link>
      )
    default:
      return null
  }
}

/** One ticket: when and where, what is missing in order, and the one thing to do next. */
export function TicketCard({ of, onChange }: { of: TicketLine; onChange: () => void }): ReactNode {
  const t = useT()
  const isVoid = of.stepCode === step.void
  const waits = of.stepCode === step.release
  return (
    <section className="my-card">
      <div className="my-head">
        <h2>
          {of.examName} · {of.itemName}
        </h2>
        <Badge tone={isVoid ? 'bad' : of.stepCode === 0 ? 'good' : 'act'}>
          {t(isVoid ? '已作废' : of.stepCode === 0 ? '可下载' : waits ? '待发布' : '还差一步')}
        </Badge>
      </div>
      <Facts
        of={[
          [
            t('考试时间'),
            <time key="at">
              {momentText(of.startTime)} – {clockText(of.endTime)}
            </time>,
          ],
          [t('考点'), of.address || t('准考证发布后可查看')],
          ...(of.downStart && of.downEnd
            ? [[t('下载时间'), <Period key="down" from={of.downStart} to={of.downEnd} />] as const]
            : []),
        ]}
      />
      {!isVoid && of.stepCode !== 0 && (
        <ol className="my-line">
          {stepsTo(of.stepCode).map(one => (
            <li key={one.code} data-state={one.state}>
              {t(one.word)}
            </li>
          ))}
        </ol>
      )}
      {waits && (
        <p className="my-note" data-tone="warn">
          {of.msg}
        </p>
      )}
      {of.stepMsg && (
        <p className="my-note" data-tone={isVoid ? 'bad' : 'warn'}>
          {of.stepMsg}
        </p>
      )}
      <Next of={of} onChange={onChange} />
    </section>
  )
}
