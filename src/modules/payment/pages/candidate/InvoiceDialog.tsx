import { Alert, Button, Form, Input, Modal, Radio } from 'antd'
import { type ReactNode, useState } from 'react'
import type { ValuesOf } from '#engine'
import { InvoiceType } from '#schemas/dictionaries/pay'
import { call } from '../../../../platform/http/browser/call.ts'
import { ApiError } from '../../../../platform/http/browser/http.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { askForInvoice, type Due } from '../../contract.ts'

type Title = Omit<ValuesOf<typeof askForInvoice>, 'id'>

interface Problem {
  field: keyof Title
  msg: string
}

const isProblems = (data: unknown): data is Problem[] => Array.isArray(data) && data.length > 0

/** Asks for an invoice, or corrects what is to stand on it. What is wrong is said at the field it is about. */
export function InvoiceDialog({ due, onClose }: { due: Due; onClose: (done: boolean) => void }): ReactNode {
  const t = useT()
  const [form] = Form.useForm<Title>()
  const type = Form.useWatch('invoiceType', form)
  const [busy, setBusy] = useState(false)
  const [reason, setReason] = useState('')
  const send = async (values: Title): Promise<void> => {
    setBusy(true)
    setReason('')
    try {
      await call(askForInvoice, { id: due.id, ...values }, { pass: 'all' })
      onClose(true)
    } catch (error) {
      const data = error instanceof ApiError ? error.data : undefined
      if (isProblems(data)) form.setFields(data.map(({ field, msg }) => ({ name: field, errors: [t(msg)] })))
      else setReason(error instanceof ApiError ? error.message : t('网络不通，请检查网络后重试'))
    } finally {
      setBusy(false)
    }
  }
  const first = {
    invoiceType: due.invoiceType || InvoiceType.individual,
    invoiceTitle: due.invoiceTitle,
    taxNo: due.taxNo,
    invoiceEmail: due.invoiceEmail,
  }
  return (
    <Modal open title={t('申请发票')} onCancel={() => onClose(false)} mask={{ closable: false }} footer={null}>
      <Form form={form} layout="vertical" size="large" initialValues={first} onFinish={send} scrollToFirstError>
        {reason && <Alert type="error" showIcon title={t(reason)} style={{ marginBottom: 16 }} />}
        <Form.Item name="invoiceType" label={t('抬头类型')}>
          <Radio.Group
            options={[
              { value: 1, label: t('个人') },
              { value: 2, label: t('单位') },
            ]}
          />
        </Form.Item>
        <Form.Item
          name="invoiceTitle"
          label={t('发票抬头')}
          rules={[{ required: true, whitespace: true, message: t('请输入发票抬头') }]}
        >
          <Input maxLength={100} />
        </Form.Item>
        {type === InvoiceType.organization && (
          <Form.Item name="taxNo" label={t('税号')} rules={[{ required: true, message: t('请输入税号') }]}>
            <Input maxLength={20} autoCapitalize="characters" spellCheck={false} />
          </Form.Item>
        )}
        <Form.Item name="invoiceEmail" label={t('接收邮箱')}>
          <Input type="email" maxLength={100} />
        </Form.Item>
        <Button type="primary" htmlType="submit" block loading={busy}>
          {t('提交')}
        </Button>
      </Form>
    </Modal>
  )
}
