import { App, Form, Input, Modal } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { readable } from '../../../../screens/candidate/encrypted.ts'
import { leaveFor } from '../../../../screens/providers/auth.ts'
import { tellError } from '../../../../screens/window/toasts.tsx'
import { call } from '../../../http/browser/call.ts'
import { ApiError } from '../../../http/browser/http.ts'
import { session, type TokenAnswer } from '../../../http/browser/session.ts'
import { tenantInfo } from '../../../http/contract.ts'
import { useT } from '../../../i18n/i18n.ts'
import { registerGuest } from '../../contract.ts'
import { firstGap, type Guest } from './guest.ts'

/** The tenant that this address belongs to, or an empty string; undefined until it is known. */
function useTenantHere(): string | undefined {
  const [tenantId, setTenantId] = useState<string>()
  useEffect(() => {
    call(tenantInfo, { domain: location.host }, { pass: 'all' }).then(
      found => setTenantId(found.tenantId ?? ''),
      () => setTenantId(''),
    )
  }, [])
  return tenantId
}

async function register({ tenantId, name, account, password }: Guest, login: TokenAnswer): Promise<void> {
  const { keyId, texts } = await readable([password])
  const [sealed = ''] = texts
  const values = { tenantId, name, account, password: sealed, keyId, oauthId: login.oauth_id ?? '' }
  const headers = { 'Blade-Auth': `bearer ${login.access_token}` }
  await call(registerGuest, values, { headers, pass: 'all' })
}

/** A guest has no session here or at the server; whoever was here before is forgotten too. */
function signOut(): void {
  leaveFor('/login')
  session.clear()
}

function Fields({ tenantHere }: { tenantHere: string | undefined }): ReactNode {
  const t = useT()
  return (
    <>
      <Form.Item name="tenantId" label={t('租户编号')} hidden={tenantHere !== ''}>
        <Input maxLength={12} inputMode="numeric" />
      </Form.Item>
      <Form.Item name="name" label={t('用户姓名')}>
        <Input autoComplete="name" maxLength={20} />
      </Form.Item>
      <Form.Item name="account" label={t('账号名称')}>
        <Input autoFocus autoComplete="username" autoCapitalize="none" maxLength={45} />
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

/** What the form begins with: what the provider told, and the tenant whose page it was. */
const first = ({ tenant_id, nick_name }: TokenAnswer): Guest => ({
  tenantId: tenant_id ?? '',
  name: (nick_name ?? '').slice(0, 20),
  account: '',
  password: '',
  password2: '',
})

/** Asks a guest of a third-party login for an account; an administrator lets the account in. */
export function GuestRegister({ guest }: { guest: TokenAnswer }): ReactNode {
  const t = useT()
  const { message, modal } = App.useApp()
  const [form] = Form.useForm<Guest>()
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState(false)
  const tenantHere = useTenantHere()
  const submit = async (): Promise<void> => {
    const typed: Guest = { ...first(guest), ...form.getFieldsValue(true), ...(tenantHere && { tenantId: tenantHere }) }
    const gap = firstGap(typed)
    if (gap) return void message.warning(t(gap))
    setBusy(true)
    try {
      await register(typed, guest)
      setDone(true)
      modal.success({ content: t('注册申请已提交,请耐心等待管理员通过!'), onOk: signOut })
    } catch (error) {
      tellError(message, (error instanceof ApiError && error.body.msg) || t('提交失败'))
      setBusy(false)
    }
  }
  return (
    <Modal
      open={!done}
      title={t('账号注册')}
      okText={t('提交')}
      cancelText={t('退出登录')}
      onOk={submit}
      onCancel={signOut}
      confirmLoading={busy}
      mask={{ closable: false }}
      keyboard={false}
    >
      <Form form={form} layout="vertical" initialValues={first(guest)} onFinish={() => void submit()}>
        <Fields tenantHere={tenantHere} />
        <button type="submit" hidden />
      </Form>
    </Modal>
  )
}
