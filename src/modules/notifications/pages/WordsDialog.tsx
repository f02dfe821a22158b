import { Button, Empty, Form, Input, Modal, Tabs, Typography } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../platform/i18n/i18n.ts'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { useEndpoint, useSend } from '../../../screens/parts/use-endpoint.ts'
import { useFormDraft } from '../../../screens/use-form-draft.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { type EventChoices, type EventPreview, eventChoices, previewEvent, sayEvent } from '../contract.ts'

type Choice = EventChoices['events'][number]
type Shown = EventPreview['shown'][number]

const channels = { inbox: '站内消息', sms: '短信', mail: '邮件', wechat: '微信' } as const
const languages = { zh: '中文', en: '英文' } as const

/** A message as people get it by one way, in one language. */
function One({ of }: { of: Shown }): ReactNode {
  const t = useT()
  if (of.channel === 'sms' && of.text === '')
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('还没有模板，不发短信')} />
  return (
    <Typography.Paragraph>
      <Typography.Text type="secondary">{t(languages[of.language])}</Typography.Text>
      {of.subject !== '' && <Typography.Title level={5}>{of.subject}</Typography.Title>}
      <div style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{of.text}</div>
      {of.channel === 'sms' && (
        <Typography.Text type={of.segments > 1 ? 'warning' : 'secondary'}>
          {t('{{length}} 字，计 {{segments}} 条；70 字以内计 1 条', { length: of.length, segments: of.segments })}
        </Typography.Text>
      )}
    </Typography.Paragraph>
  )
}

/** An event as people get it, by each way that it may go, with facts as long as they usually get. */
export function Previews({
  examId,
  code,
  zh,
  en,
}: {
  examId: string | undefined
  code: string
  zh?: string
  en?: string
}) {
  const t = useT()
  const words = { ...(zh !== undefined && { zh }), ...(en !== undefined && { en }) }
  const preview = useEndpoint(previewEvent, { ...(examId && { examId }), code, ...words })
  if (preview.error) return <NoAnswer error={preview.error} />
  if (!preview.data) return <PageSkeleton />
  const { shown } = preview.data
  const items = (Object.keys(channels) as (keyof typeof channels)[]).flatMap(channel => {
    const own = shown.filter(one => one.channel === channel)
    const children = own.map(one => <One key={one.language} of={one} />)
    return own.length === 0 ? [] : [{ key: channel, label: t(channels[channel]), children }]
  })
  return <Tabs items={items} />
}

interface Values {
  zh: string
  en: string
}

interface WordsProps {
  of: Choice
  /** Of this exam; undefined for what holds in all of them. */
  examId: string | undefined
  close: () => void
}

/** In which words an exam tells of an event, and what they look like. */
export function WordsDialog({ of, examId, close }: WordsProps): ReactNode {
  const t = useT()
  const [form] = Form.useForm<Values>()
  const [seen, see] = useState<Values>()
  const save = useSend(sayEvent, { stale: [eventChoices] })
  const begins = { zh: of.words.zh, en: of.words.en }
  const draft = useFormDraft({ antd: form, form: `telling/${of.code}`, rowId: examId, begins })
  const place = examId ? { examId } : {}
  const done = () => {
    draft.saved()
    close()
  }
  const send = (words: Values) => save.mutate({ ...place, code: of.code, ...words }, { onSuccess: done })
  const restore = () => save.mutate({ ...place, code: of.code }, { onSuccess: done })
  return (
    <Modal
      open
      width={640}
      title={t(of.label)}
      onCancel={close}
      onOk={() => form.submit()}
      okText={t('保存')}
      confirmLoading={save.isPending}
      footer={(_, { OkBtn, CancelBtn }) => (
        <>
          {of.isWorded && (
            <Button style={{ float: 'left' }} loading={save.isPending} onClick={restore}>
              {t('恢复预设')}
            </Button>
          )}
          <CancelBtn />
          <OkBtn />
        </>
      )}
    >
      <Typography.Paragraph type="secondary">
        {t('用于站内消息、邮件和微信。短信按服务商审核通过的模板发送，文字在短信配置中修改。')}
      </Typography.Paragraph>
      {draft.bar}
      <Form<Values>
        form={form}
        layout="vertical"
        initialValues={begins}
        onValuesChange={draft.onValuesChange}
        onFinish={send}
      >
        <Form.Item name="zh" label={t('中文')} rules={[{ required: true, message: t('请填写文字') }]}>
          <Input.TextArea autoSize={{ minRows: 2 }} maxLength={300} showCount />
        </Form.Item>
        <Form.Item name="en" label={t('英文')} rules={[{ required: true, message: t('请填写文字') }]}>
          <Input.TextArea autoSize={{ minRows: 2 }} maxLength={300} showCount />
        </Form.Item>
      </Form>
      <Typography.Paragraph type="secondary">
        {t('可以使用的变量：')}
        {of.names.map(({ name, title }) => (
          <span key={name} style={{ marginInlineEnd: 12, whiteSpace: 'nowrap' }}>
            <code>{`{${name}}`}</code> {t(title)}
          </span>
        ))}
      </Typography.Paragraph>
      <Button onClick={() => see(form.getFieldsValue())}>{t('预览')}</Button>
      {seen && <Previews key={JSON.stringify(seen)} examId={examId} code={of.code} zh={seen.zh} en={seen.en} />}
    </Modal>
  )
}
