import { InboxOutlined, UploadOutlined } from '@ant-design/icons'
import { App, Button, Form, Modal, Upload, type UploadFile } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { call } from '../../../platform/http/browser/call.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DictSelect } from '../../../screens/fields/DictSelect.tsx'
import { useCan } from '../../../screens/providers/rights.ts'
import { uploadModels } from '../contract.ts'
import { useFresh } from './acts.ts'

/** What an antd form gives its inputs. */
interface Given {
  id?: string
  value?: string | number
  onChange?: (value: string | number | undefined) => void
}

const Category = ({ id, value, onChange }: Given): ReactNode => (
  <DictSelect code={'flow'} value={value} {...(id && { id })} onChange={next => onChange?.(next)} />
)

interface Values {
  category: string | number
  files: UploadFile[]
}

/** Chooses models and deploys them, all of them or none. */
function UploadDialog({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT()
  const refresh = useFresh()
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const [form] = Form.useForm<Values>()
  // Forms behind it, and of other tabs, stay in the document.
  const name = useId()
  const send = async ({ category, files }: Values): Promise<void> => {
    setBusy(true)
    try {
      const chosen = files.flatMap(({ originFileObj }) => originFileObj ?? [])
      await call(uploadModels, { category: String(category) }, { files: { files: chosen } })
      message.success(t('操作成功!'))
      refresh()
      onClose()
    } catch {
      // The refusal has been shown; what was chosen stays.
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      title={t('上传部署')}
      okText={t('部署模型')}
      cancelText={t('取消')}
      confirmLoading={busy}
      onOk={form.submit}
      onCancel={onClose}
      width={480}
    >
      <Form name={name} form={form} layout="vertical" onFinish={values => void send(values)}>
        <Form.Item name="category" label={t('流程分类')} rules={[{ required: true, message: t('请选择流程分类') }]}>
          <Category />
        </Form.Item>
        <Form.Item
          name="files"
          label={t('流程文件')}
          valuePropName="fileList"
          getValueFromEvent={(event: { fileList: UploadFile[] }) => event.fileList}
          rules={[{ required: true, message: t('请选择文件') }]}
          extra={t('扩展名为 .bpmn20.xml，每个不超过 1MB，最多 10 个；支持开始、结束、用户任务和排他网关。')}
        >
          <Upload.Dragger multiple accept=".xml" maxCount={10} beforeUpload={() => false}>
            <p className="ant-upload-drag-icon">
              <InboxOutlined aria-hidden />
            </p>
            <p>{t('点击或拖动文件到这里')}</p>
          </Upload.Dragger>
        </Form.Item>
      </Form>
    </Modal>
  )
}

/** Deploys models from files. */
export function UploadButton(): ReactNode {
  const t = useT()
  const can = useCan('flow_manager_upload')
  const [open, setOpen] = useState(false)
  if (!can) return null
  return (
    <>
      <Button type="primary" icon={<UploadOutlined aria-hidden />} onClick={() => setOpen(true)}>
        {t('上传部署')}
      </Button>
      {open && <UploadDialog onClose={() => setOpen(false)} />}
    </>
  )
}
