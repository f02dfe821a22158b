import { Segmented } from 'antd'
import { useState } from 'react'
import { payrecord } from '#resources/payment/payrecord'
import { useT } from '../../../platform/i18n/i18n.ts'
import ListScreen from '../../../screens/ListScreen.tsx'

const states = [
  ['1', '待开票'],
  ['2', '已开票'],
  ['3', '已红冲'],
] as const

const columns = ['examId', 'name', 'amount', 'payTime', 'invoiceType', 'invoiceTitle', 'taxNo', 'invoiceEmail']

/** The records of payment as whoever writes invoices sees them: one state at a time, with what stands on the invoice. */
const invoices = {
  ...payrecord,
  name: payrecord.name,
  title: '票据',
  columns: [...columns, 'invoiceNo', 'invoiceFile'].map(field => ({ field })),
  search: ['examId', 'name', 'idCard', 'payTime'],
  actions: Object.fromEntries(
    Object.entries(payrecord.actions).filter(([, action]) => (action as { code?: string }).code === 'invoice'),
  ),
}

/** 票据: what is asked for, what is issued, what was reversed. */
export default function InvoicePage() {
  const t = useT()
  const [state, setState] = useState<string>('1')
  const head = (
    <Segmented
      value={state}
      onChange={value => setState(String(value))}
      options={states.map(([value, label]) => ({ value, label: t(label) }))}
      style={{ marginBottom: 16 }}
    />
  )
  return <ListScreen key={state} resource={invoices} filter={{ invoiceStatus: state }} slots={{ head }} />
}
