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
import { momentText } from '../../../../screens/candidate/times.ts'
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
          [t('缴费起止'), of.payState === PayState.due && `${momentText(of.startTime)} – ${momentText(of.endTime)}`],
          [t('支付时间'), momentText(of.payTime)],
          [t('商户单号'), of.payState === PayState.paid && of.orderNo],
          [t('交易单号'), of.payState === PayState.paid && of.transactionId],
        ]}
      />
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
            list.map(one => (
              <DueCard key={one.id} of={one} onPay={() => setPaying(one)} onChange={() => void dues.refetch()} />
            ))
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
