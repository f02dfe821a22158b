import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { InvoiceStatus, PayState } from '#schemas/dictionaries/pay'
import { saveAttach } from '../../../../platform/files/browser/save-attach.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Facts } from '../../../../screens/candidate/Facts.tsx'
import type { Due } from '../../contract.ts'
import { InvoiceDialog } from './InvoiceDialog.tsx'

const words: Readonly<Partial<Record<Due['invoiceStatus'], string>>> = {
  [InvoiceStatus.asked]: '已申请，等待开具',
  [InvoiceStatus.issued]: '已开具',
  [InvoiceStatus.reversed]: '已红冲，可重新申请',
}

/** The invoice of what was paid: asked for, corrected while none is issued, fetched once it is. */
export function InvoicePart({ of, onChange }: { of: Due; onChange: () => void }): ReactNode {
  const t = useT()
  const [asking, setAsking] = useState(false)
  if (of.payState !== PayState.paid) return null
  const { invoiceStatus, invoiceFile, invoiceNo, invoiceTitle } = of
  return (
    <>
      <Facts
        of={[
          [t('发票'), t(words[invoiceStatus] ?? '')],
          [t('发票抬头'), invoiceStatus !== InvoiceStatus.none && invoiceTitle],
          [t('票据号码'), invoiceStatus >= InvoiceStatus.issued && invoiceNo],
        ]}
      />
      {invoiceStatus === InvoiceStatus.issued
        ? invoiceFile && (
            <Button size="large" block onClick={() => void saveAttach(invoiceFile).catch(() => undefined)}>
              {t('下载发票')}
            </Button>
          )
        : of.amount > 0 && (
            <Button size="large" block onClick={() => setAsking(true)}>
              {t(invoiceStatus === InvoiceStatus.asked ? '修改发票抬头' : '申请发票')}
            </Button>
          )}
      {asking && (
        <InvoiceDialog
          due={of}
          onClose={done => {
            setAsking(false)
            if (done) onChange()
          }}
        />
      )}
    </>
  )
}
