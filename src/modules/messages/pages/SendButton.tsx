import { SendOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { useState } from 'react'
import { call } from '../../../platform/http/browser/call.ts'
import { ApiError, newKey } from '../../../platform/http/browser/http.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { type SendInfo, startSending } from '../contract.ts'
import { isFree } from '../rules/send-order.ts'

const asksAgain = (error: unknown): boolean =>
  error instanceof ApiError && (error.data as { confirm?: unknown } | null)?.confirm === true

type Sendable = Pick<SendInfo, 'id' | 'sendType' | 'num'>

/** Lets a paid sending go out, after a question, and after a second one at night. */
export function SendButton({ info, onDone }: { info: Sendable; onDone: () => void }) {
  const t = useT()
  const { modal, message } = App.useApp()
  const [key] = useState(newKey)
  const send = async (confirm?: '1'): Promise<void> => {
    try {
      const { accepted, noAccount } = await call(
        startSending,
        { sendId: info.id, confirm },
        { key: `${key}${confirm ?? ''}`, pass: 'all' },
      )
      if (!isFree(info)) message.success(t('已提交 {{n}} 条短信', { n: accepted }))
      else message.success(t('站内信已送达 {{n}} 人', { n: accepted - noAccount }))
      onDone()
    } catch (error) {
      if (confirm === undefined && asksAgain(error))
        modal.confirm({
          title: t('现在是免打扰时段，仍要发送吗?'),
          content: (error as ApiError).message,
          okText: t('仍要发送'),
          onOk: () => send('1'),
        })
      else if (error instanceof ApiError) message.error(error.message)
      else throw error
    }
  }
  const ask = (): void =>
    void modal.confirm({
      title: t(
        isFree(info) ? '将向 {{n}} 人发送站内信，确定发送?' : '将向 {{n}} 人发送短信，发出后不能收回，确定发送?',
        {
          n: info.num,
        },
      ),
      onOk: () => send(),
    })
  return (
    <Button type="primary" icon={<SendOutlined aria-hidden />} onClick={ask}>
      {t('立即发送')}
    </Button>
  )
}
