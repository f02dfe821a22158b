import { App, Form, Modal, Radio } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { ownProfile, type Profile } from '../../platform/accounts/contract.ts'
import { call } from '../../platform/http/browser/call.ts'
import { session } from '../../platform/http/browser/session.ts'
import { switchRole } from '../../platform/http/browser/switch-role.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { shownName } from '../../screens/fields/shown-name.ts'
import { leaveFor } from '../../screens/providers/auth.ts'
import { tellError } from '../../screens/window/toasts.tsx'

/** What the person has been given: ids and names, comma-joined. */
type Given = Pick<Profile, 'roleId' | 'roleName' | 'deptId' | 'deptName'>

interface Choice {
  roleId: string
  deptId: string
}

/** One of several, or all of them together. */
function options(ids: string, names: string, all: string): { value: string; label: string }[] {
  const words = names.split(',')
  const each = ids.split(',').map((value, at) => ({ value, label: words[at] || value }))
  return each.length > 1 ? [{ value: ids, label: all }, ...each] : each
}

/** Asked again each time it opens: what one has been given may have changed. */
function useGiven(open: boolean): Given | undefined {
  const [given, set] = useState<Given>()
  useEffect(() => {
    if (open) call(ownProfile, {}).then(set, () => undefined)
  }, [open])
  return given
}

/** Takes on one role and department of those one has, or all together; the window begins again with their menu. */
export default function SwitchDialog({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const t = useT()
  const { message } = App.useApp()
  const [form] = Form.useForm<Choice>()
  const [busy, setBusy] = useState(false)
  const given = useGiven(open)
  const who = session.get()
  const take = async ({ roleId, deptId }: Choice): Promise<void> => {
    setBusy(true)
    const done = await switchRole(deptId, roleId).catch(() => false)
    setBusy(false)
    if (!done) return tellError(message, t('切换失败，请稍后重试'))
    session.update({ several: true })
    session.leave()
    leaveFor('/')
  }
  const choices = given && [
    { name: 'roleId', label: '角色', options: options(given.roleId, shownName('role', given.roleName), t('全部角色')) },
    { name: 'deptId', label: '机构', options: options(given.deptId, given.deptName, t('全部机构')) },
  ]
  return (
    <Modal
      title={t('切换角色与机构')}
      open={open}
      onCancel={onClose}
      onOk={form.submit}
      okButtonProps={{ disabled: !given }}
      confirmLoading={busy}
      width={460}
      destroyOnHidden
    >
      {choices && (
        <Form
          form={form}
          layout="vertical"
          onFinish={take}
          initialValues={{ roleId: who?.role_id, deptId: who?.dept_id }}
        >
          {choices.map(one => (
            <Form.Item key={one.name} name={one.name} label={t(one.label)} hidden={one.options.length < 2}>
              <Radio.Group options={one.options} vertical />
            </Form.Item>
          ))}
        </Form>
      )}
    </Modal>
  )
}
