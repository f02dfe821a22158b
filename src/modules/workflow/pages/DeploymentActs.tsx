import { Alert, App, Button, Form, Input, Modal, Space } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { FlowState } from '#schemas/dictionaries/platform'
import { call } from '../../../platform/http/browser/call.ts'
import { ApiError } from '../../../platform/http/browser/http.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { encrypted } from '../../../screens/candidate/encrypted.ts'
import { useCan } from '../../../screens/providers/rights.ts'
import { changeState, type Definition, removeDeployments } from '../contract.ts'
import { useFlowAct, useFresh } from './acts.ts'

type Deployment = Pick<Definition, 'id' | 'processDefinitionName' | 'suspensionState'>

/** The refusal of a deployment of which something runs. */
const running = REFUSAL.row.inUse

/** The password with which running processes are ended too. @throws as `call` */
async function endingAll(password: string) {
  const { keyId, texts } = await encrypted([password])
  return { cascade: true, password: texts[0], keyId }
}

/** Takes a deployed process away; where it runs the password is asked for, because what runs is ended. */
function RemoveDialog({ row, onClose }: { row: Deployment; onClose: () => void }): ReactNode {
  const t = useT()
  const refresh = useFresh()
  const { message } = App.useApp()
  const [isRunning, setRunning] = useState(false)
  const [busy, setBusy] = useState(false)
  const [form] = Form.useForm<{ password?: string }>()
  // Forms behind it, and of other tabs, stay in the document.
  const name = useId()
  const remove = async ({ password }: { password?: string }): Promise<void> => {
    setBusy(true)
    try {
      const ending = password ? await endingAll(password) : {}
      await call(removeDeployments, { deploymentIds: row.id, ...ending }, { pass: [running] })
      message.success(t('操作成功!'))
      refresh()
      onClose()
    } catch (error) {
      if (error instanceof ApiError && error.code === running) setRunning(true)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      title={t('确定删除{{name}}的部署?', { name: t(row.processDefinitionName) })}
      okText={t('删除')}
      cancelText={t('取消')}
      okButtonProps={{ danger: true }}
      confirmLoading={busy}
      onOk={form.submit}
      onCancel={onClose}
      width={420}
    >
      <p>{t('删除后不能再发起，模型和办理记录保留。')}</p>
      <Form name={name} form={form} layout="vertical" onFinish={values => void remove(values)} requiredMark={false}>
        {isRunning && (
          <>
            <Alert
              type="warning"
              showIcon
              title={t('还有流程正在运行：输入登录密码后，它们会一并终止。')}
              style={{ marginBottom: 16 }}
            />
            <Form.Item name="password" label={t('您的登录密码')} rules={[{ required: true, message: t('请输入密码') }]}>
              <Input.Password autoFocus autoComplete="current-password" maxLength={64} />
            </Form.Item>
          </>
        )}
      </Form>
    </Modal>
  )
}

/** Suspends, activates or takes away a deployed process. */
export function DeploymentActs({ row }: { row: Deployment }): ReactNode {
  const t = useT()
  const { modal } = App.useApp()
  const [mayChange, mayRemove] = [useCan('flow_manager_change'), useCan('flow_manager_delete')]
  const [removing, setRemoving] = useState(false)
  const change = useFlowAct(changeState)
  const isActive = row.suspensionState === FlowState.active
  const turn = () =>
    change.mutateAsync({ processId: row.id, state: isActive ? 'suspend' : 'active' }).catch(() => undefined)
  const ask = (): void =>
    void (isActive ? modal.confirm({ title: t('挂起后不能再发起，已发起的继续办理，确定挂起?'), onOk: turn }) : turn())
  return (
    <Space size={12}>
      {mayChange && (
        <Button type="link" size="small" loading={change.isPending} onClick={ask}>
          {t(isActive ? '挂起流程' : '激活流程')}
        </Button>
      )}
      {mayRemove && (
        <Button type="link" size="small" danger onClick={() => setRemoving(true)}>
          {t('删除')}
        </Button>
      )}
      {removing && <RemoveDialog row={row} onClose={() => setRemoving(false)} />}
    </Space>
  )
}
