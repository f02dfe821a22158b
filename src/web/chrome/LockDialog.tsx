import { Form, Input, Modal } from 'antd'
import type { ReactNode } from 'react'
import { lock } from '../../platform/http/browser/lock.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { lockMark } from './lock-mark.ts'

/** Asks for a lock password and locks the screen; the guard leads to `/lock`, in this tab and in all others. */
export default function LockDialog({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const t = useT()
  const [form] = Form.useForm<{ password: string }>()
  const start = async ({ password }: { password: string }): Promise<void> => {
    const mark = await lockMark(password)
    onClose()
    lock.on(mark)
  }
  return (
    <Modal
      title={t('设置锁屏密码')}
      open={open}
      onCancel={onClose}
      onOk={form.submit}
      okText={t('锁屏')}
      width={400}
      destroyOnHidden
    >
      <Form form={form} layout="vertical" onFinish={start} requiredMark={false} preserve={false}>
        <Form.Item name="password" label={t('锁屏密码')} rules={[{ required: true, message: t('锁屏密码不能为空') }]}>
          <Input.Password autoFocus autoComplete="off" maxLength={64} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
