import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { PayState } from '#schemas/dictionaries/pay'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { yuan } from '../../../../screens/fields/money.ts'
import '../../../../screens/candidate/candidate.css'
import { Badge } from '../../../../screens/candidate/Badge.tsx'
import { Countdown } from '../../../../screens/candidate/Countdown.tsx'
import { Facts } from '../../../../screens/candidate/Facts.tsx'
import { Loaded, Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { Period } from '../../../../screens/candidate/Timed.tsx'
import { momentText } from '../../../../screens/candidate/times.ts'
import { ExemptNote } from '../../../sign-up/pages/parts/ExemptNote.tsx'
import { type Due, myPayments } from '../../contract.ts'
import { dueState } from './due-state.ts'
import { InvoicePart } from './InvoicePart.tsx'
import { PayDialog } from './PayDialog.tsx'

function DueCard({ of, onPay, onChange }: { of: Due; onPay: () => void; onChange: () => void }): ReactNode {
  const t = useT()
  const [word, tone] = dueState(of)
  return (
    <section className="my-card">
      <div className="my-head">
        <div>
          <h2>{of.examName}</h2>
          <p className="my-quiet">{of.payName || of.itemName}</p>
        </div>
        <Badge tone={tone}>{t(word)}</Badge>
      </div>
      {of.payState !== PayState.exempt && <p className="my-amount">¥ {yuan(of.amount)}</p>}
      <Facts
        of={[
          [t('免缴原因'), of.payState === PayState.exempt && of.exemptReason],
          [t('缴费起止'), of.payState === PayState.due && <Period key="due" from={of.startTime} to={of.endTime} />],
          [t('支付时间'), momentText(of.payTime)],
          [t('商户单号'), of.payState === PayState.paid && of.orderNo],
          [t('交易单号'), of.payState === PayState.paid && of.transactionId],
        ]}
      />
      {of.isExemptAsked && <ExemptNote />}
      {of.block && <p className="my-quiet">{of.block}</p>}
      {of.canPay && (
        <>
          <Button type="primary" size="large" block onClick={onPay}>
            {t('去支付')}
          </Button>
          <p className="my-quiet">
            {t('距缴费截止')} <Countdown until={of.endTime} />
          </p>
        </>
      )}
      <InvoicePart of={of} onChange={onChange} />
    </section>
  )
}

/** What is open: a due, the nearest end first, then a refund under way. */
const isLive = ({ payState }: Due): boolean => payState === PayState.due || payState === PayState.refunding

/** Dues first, then refunds under way; what is settled is folded while something else is there. */
function Dues({ list, onPay, onChange }: { list: readonly Due[]; onPay: (due: Due) => void; onChange: () => void }) {
  const t = useT()
  const cards = (some: readonly Due[]) =>
    some.map(one => <DueCard key={one.id} of={one} onPay={() => onPay(one)} onChange={onChange} />)
  const rank = ({ payState, canPay }: Due): number => (canPay ? 0 : payState === PayState.due ? 1 : 2)
  const live = list.filter(isLive).sort((a, b) => rank(a) - rank(b) || a.endTime.localeCompare(b.endTime))
  const settled = list.filter(one => !isLive(one))
  return (
    <>
      {cards(live)}
      {settled.length > 0 && (
        <details className="my-past" open={live.length === 0}>
          <summary>{t('已办结的缴费（{{n}}）', { n: settled.length })}</summary>
          <div className="my">{cards(settled)}</div>
        </details>
      )}
    </>
  )
}

/** What a candidate owes, has paid and need not pay. */
export default function PayPage(): ReactNode {
  const t = useT()
  const dues = useContract(myPayments, {})
  const [paying, setPaying] = useState<Due>()
  return (
    <div className="my">
      <h1>{t('缴费')}</h1>
      <Loaded query={dues}>
        {list =>
          list.length > 0 ? (
            <Dues list={list} onPay={setPaying} onChange={() => void dues.refetch()} />
          ) : (
            <Nothing title={t('没有需要缴费的项目。报名审核通过后，缴费通知会出现在这里。')} />
          )
        }
      </Loaded>
      {paying && (
        <PayDialog
          due={paying}
          onClose={() => {
            setPaying(undefined)
            void dues.refetch()
          }}
        />
      )}
    </div>
  )
}
