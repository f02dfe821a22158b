import { App, Form, Input, Modal } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { ApiError, call } from '../http.ts'
import { useT } from '../i18n.ts'
import { signOut } from '../providers/auth.ts'
import { session } from '../session.ts'
import { firstGap, type Guest } from './guest.ts'

/** The tenant that this address belongs to, or an empty string. */
function useTenantHere(): string {
  const [tenantId, setTenantId] = useState('')
  useEffect(() => {
    call<{ tenantId?: string }>('GET', '/blade-system/tenant/info', {
      params: { domain: location.host },
      pass: 'all',
    }).then(
      found => setTenantId(found.tenantId ?? ''),
      () => undefined,
    )
  }, [])
  return tenantId
}

async function register(guest: Guest): Promise<void> {
  const data = new URLSearchParams({
    tenantId: guest.tenantId,
    name: guest.name,
    account: guest.account,
    password: guest.password,
    oauthId: session.get()?.oauth_id ?? '',
  })
  await call('POST', '/blade-system/user/register-guest', { data, pass: 'all' })
}

const EMPTY: Guest = { tenantId: '', name: '', account: '', password: '', password2: '' }

function Fields({ tenantHere }: { tenantHere: string }): ReactNode {
  const t = useT()
  return (
    <>
      <Form.Item name="tenantId" label={t('租户编号')} hidden={tenantHere !== ''}>
        <Input maxLength={12} />
      </Form.Item>
      <Form.Item name="name" label={t('用户姓名')}>
        <Input autoComplete="name" maxLength={45} />
      </Form.Item>
      <Form.Item name="account" label={t('账号名称')}>
        <Input autoComplete="username" maxLength={45} />
      </Form.Item>
      <Form.Item name="password" label={t('账号密码')}>
        <Input.Password autoComplete="new-password" maxLength={64} />
      </Form.Item>
      <Form.Item name="password2" label={t('确认密码')}>
        <Input.Password autoComplete="new-password" maxLength={64} />
      </Form.Item>
    </>
  )
}

/** Asks a guest of a third-party login for an account; an administrator lets the account in. */
export default function GuestRegister(): ReactNode {
  const t = useT()
  const { message, modal } = App.useApp()
  const [form] = Form.useForm<Guest>()
  const [busy, setBusy] = useState(false)
  const tenantHere = useTenantHere()
  const submit = async (): Promise<void> => {
    const values = { ...EMPTY, ...form.getFieldsValue(true), ...(tenantHere && { tenantId: tenantHere }) }
    const gap = firstGap(values)
    if (gap) return void message.warning(t(gap))
    setBusy(true)
    try {
      await register(values)
      modal.success({ content: t('注册申请已提交,请耐心等待管理员通过!'), onOk: signOut })
    } catch (error) {
      message.error((error instanceof ApiError && error.body.msg) || t('提交失败'))
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      title={t('账号注册')}
      okText={t('提交')}
      cancelText={t('退出登录')}
      onOk={submit}
      onCancel={signOut}
      confirmLoading={busy}
      mask={{ closable: false }}
      keyboard={false}
    >
      <Form form={form} layout="vertical">
        <Fields tenantHere={tenantHere} />
      </Form>
    </Modal>
  )
}
