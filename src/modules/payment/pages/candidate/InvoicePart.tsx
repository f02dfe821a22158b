import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Facts } from '../../../../screens/candidate/Facts.tsx'
import { saveFile } from '../../../../screens/fields/attach.ts'
import { InvoiceDialog } from './InvoiceDialog.tsx'
import type { Due } from './wire.ts'

const words: Readonly<Record<number, string>> = { 1: '已申请，等待开具', 2: '已开具', 3: '已红冲，可重新申请' }

/** The invoice of what was paid: asked for, corrected while none is issued, fetched once it is. */
export function InvoicePart({ of, onChange }: { of: Due; onChange: () => void }): ReactNode {
  const t = useT()
  const [asking, setAsking] = useState(false)
  if (of.payState !== 1) return null
  const { invoiceStatus, invoiceFile, invoiceNo, invoiceTitle } = of
  return (
    <>
      <Facts
        of={[
          [t('发票'), t(words[invoiceStatus] ?? '')],
          [t('发票抬头'), invoiceStatus !== 0 && invoiceTitle],
          [t('票据号码'), invoiceStatus >= 2 && invoiceNo],
        ]}
      />
      {invoiceStatus === 2
        ? invoiceFile && (
            <Button size="large" block onClick={() => void saveFile(invoiceFile).catch(() => undefined)}>
              {t('下载发票')}
            </Button>
          )
        : of.amount > 0 && (
            <Button size="large" block onClick={() => setAsking(true)}>
              {t(invoiceStatus === 1 ? '修改发票抬头' : '申请发票')}
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
