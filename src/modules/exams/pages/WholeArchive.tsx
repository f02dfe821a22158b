import { App, Button, Card, Flex, Form, Input, Modal, Typography } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { secret } from '#engine'
import { useT } from '../../../platform/i18n/i18n.ts'
import { encrypted } from '../../../screens/candidate/encrypted.ts'
import { useEndpoint, useSend } from '../../../screens/parts/use-endpoint.ts'
import { useFormDraft } from '../../../screens/use-form-draft.ts'
import { archiveMark, archiveWhole } from '../contract.ts'

interface Typed {
  reason: string
  password: string
}

/** Nothing keeps it. */
const password = secret('登录密码')

/** Has the whole archive of an exam made; with numbers and papers in full it is asked for with a reason and the own password, and confirmed by a second person. */
export function WholeArchive({ examId }: { examId: string }) {
  const t = useT()
  const { message } = App.useApp()
  const [open, setOpen] = useState(false)
  const [form] = Form.useForm<Typed>()
  const draft = useFormDraft({ antd: form, form: 'examination/archive', rowId: examId, fields: { password } })
  const mark = useEndpoint(archiveMark, {})
  const send = useSend(archiveWhole, { done: false })
  const told = () => void message.success(t('正在后台生成，完成后在右上角“导出”中下载'))
  const asked = () => void message.success(t('已提交，另一人确认后开始生成'))
  const make = async ({ reason, password }: Typed): Promise<void> => {
    const { keyId, texts } = await encrypted([password])
    await send.mutateAsync({ id: examId, sort: 'full', reason, password: texts[0] ?? '', keyId }).then(
      () => {
        draft.saved()
        setOpen(false)
        form.resetFields()
        asked()
      },
      () => undefined,
    )
  }
  const masked = () => send.mutateAsync({ id: examId, sort: 'masked' }).then(told, () => undefined)
  return (
    <Card title={t('整场归档包')}>
      <Typography.Paragraph type="secondary">
        {t('一个压缩包装下全部数据表、报名表、附件和日志，双击 index.html 离线查看，附签名和核验程序。')}
      </Typography.Paragraph>
      <Flex gap={12} wrap>
        <Button type="primary" onClick={() => setOpen(true)}>
          {t('申请完整归档包')}
        </Button>
        <Button loading={send.isPending && !open} onClick={() => void masked()}>
          {t('生成脱敏归档包')}
        </Button>
      </Flex>
      <Typography.Paragraph type="secondary" style={{ marginTop: 12 }}>
        {t('完整归档包含证件号码和全部附件，须由另一人确认后生成。')}{' '}
        <Link to={`/exam/full-archive?examId=${examId}`}>{t('申请和确认')}</Link>
      </Typography.Paragraph>
      {mark.data && (
        <Typography.Paragraph type="secondary" style={{ marginTop: 12, overflowWrap: 'anywhere' }}>
          {t('公钥指纹')} {mark.data.mark}
        </Typography.Paragraph>
      )}
      <Modal
        open={open}
        title={t('申请完整归档包')}
        okText={t('提交')}
        cancelText={t('取消')}
        confirmLoading={send.isPending}
        onCancel={() => setOpen(false)}
        onOk={() => form.submit()}
      >
        {draft.bar}
        <Form form={form} layout="vertical" onValuesChange={draft.onValuesChange} onFinish={typed => void make(typed)}>
          <Form.Item name="reason" label={t('用途')} rules={[{ required: true, min: 2, message: t('请填写导出用途') }]}>
            <Input maxLength={255} />
          </Form.Item>
          <Form.Item name="password" label={t('登录密码')} rules={[{ required: true, message: t('请输入密码') }]}>
            <Input.Password autoComplete="current-password" maxLength={64} />
          </Form.Item>
        </Form>
      </Modal>
    </Card>
  )
}
