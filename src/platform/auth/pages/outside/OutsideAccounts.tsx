import { App, Button, Form, Input, Modal } from 'antd'
import { type ReactNode, useState } from 'react'
import { encrypted } from '../../../../screens/candidate/encrypted.ts'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { call } from '../../../http/browser/call.ts'
import { session } from '../../../http/browser/session.ts'
import { keepReturnState } from '../../../http/browser/sign-in-return.ts'
import { useT } from '../../../i18n/i18n.ts'
import { beginLink, type OutsideLink, outsideLinks, unlinkOutside } from '../../contract.ts'
import './outside.css'

/** Asks for the password, then leaves for the provider. */
function LinkDialog({ to, onClose }: { to: OutsideLink; onClose: () => void }): ReactNode {
  const t = useT()
  const [form] = Form.useForm<{ password: string }>()
  const [busy, setBusy] = useState(false)
  const leave = async ({ password }: { password: string }): Promise<void> => {
    setBusy(true)
    try {
      const { keyId, texts } = await encrypted([password])
      const { address } = await call(beginLink, { source: to.source, password: texts[0], keyId })
      keepReturnState({ to: '/info/index', tenantId: session.get()?.tenant_id ?? '', links: true })
      location.assign(address)
    } catch {
      // The refusal has been shown.
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      title={t('绑定{{name}}', { name: to.sourceName })}
      okText={t('前往绑定')}
      cancelText={t('取消')}
      onOk={form.submit}
      onCancel={onClose}
      confirmLoading={busy}
      width={400}
    >
      <Form form={form} layout="vertical" onFinish={leave} requiredMark={false}>
        <Form.Item name="password" label={t('您的登录密码')} rules={[{ required: true, message: t('请输入密码') }]}>
          <Input.Password autoFocus autoComplete="current-password" maxLength={64} />
        </Form.Item>
      </Form>
    </Modal>
  )
}

/** Providers elsewhere with which one may sign in to one's own account; nothing where there is none. */
export function OutsideAccounts(): ReactNode {
  const t = useT()
  const { modal, message } = App.useApp()
  const bindings = useContract(outsideLinks, {})
  const [linking, setLinking] = useState<OutsideLink>()
  if (!bindings.data?.length) return null
  const unlink = ({ source, sourceName }: OutsideLink): void => {
    const done = (): void => {
      void message.success(t('已解除绑定'))
      void bindings.refetch()
    }
    // A refusal has been shown by then.
    const send = () => call(unlinkOutside, { source }).then(done, () => undefined)
    const title = t('解除后不能再用{{name}}登录，确定解除?', { name: sourceName })
    modal.confirm({ title, okText: t('确定'), cancelText: t('取消'), onOk: send })
  }
  return (
    <section className="my-card">
      <h2>{t('第三方登录')}</h2>
      <ul className="outside-accounts">
        {bindings.data.map(one => (
          <li key={one.source}>
            <span>
              <strong>{one.sourceName}</strong>
              <small>{one.linked === 1 ? t('已绑定 {{name}}', { name: one.nickname }) : t('未绑定')}</small>
            </span>
            <Button
              aria-label={`${t(one.linked === 1 ? '解除绑定' : '绑定')} ${one.sourceName}`}
              onClick={() => (one.linked === 1 ? unlink(one) : setLinking(one))}
            >
              {t(one.linked === 1 ? '解除绑定' : '绑定')}
            </Button>
          </li>
        ))}
      </ul>
      {linking && <LinkDialog to={linking} onClose={() => setLinking(undefined)} />}
    </section>
  )
}
